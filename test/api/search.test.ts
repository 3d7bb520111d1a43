import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { type AppraisalFilter, appraisalStore } from '../../src/appraisal/appraisal-store.ts'
import { accountDataStore } from '../../src/auth/accounts/account-data-store.ts'
import type { Account } from '../../src/auth/accounts/account-store.ts'
import { findAuditEntriesOf } from '../../src/auth/audit-store.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { webhookDeliveryStore } from '../../src/events/webhook-delivery-store.ts'
import { stockStore } from '../../src/stock/stock-store.ts'
import { requestLogStore } from '../../src/usage/request-log-store.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'

const ROWS = 60_000
const ORGANIZATION = 'org_many'
const idOf = (row: number) => `apr_${String(row).padStart(8, '0')}`

onDatabaseOfSuite((store) => {
  let db: Database
  const statements: string[] = []

  /** Odd rows are `odd …` and Pixels, even rows `even …` and iPhones; one has the reference `needle`. Every fourth is in stock. */
  beforeAll(async () => {
    db = await openDatabase({ ...(await store.openEmpty()), onStatement: (text) => statements.push(text) })
    const rows = sql`with recursive rows (n) as (select 1 union all select n + 1 from rows where n < ${sql.lit(ROWS)}),
      named as (select n, 'apr_' || substr('00000000' || n, -8) as id from rows)`
    const pgRows = sql`with named as (select n, 'apr_' || lpad(n::text, 8, '0') as id from generate_series(1, ${sql.lit(ROWS)}) as n)`
    const named = db.admin.dialect === 'postgres' ? pgRows : rows
    const org = sql.lit(ORGANIZATION)
    const device = sql`case n % 2 when 0 then 'apple-iphone-13' else 'google-pixel-7' end`
    await db.transaction(async (tx) => {
      for (const insert of [
        sql`insert into appraisal (organization_id, id, reference, decision, device_id, created_at, response, outcome)
          ${named} select ${org}, id, 'r', case n % 3 when 0 then 'buy' else 'reject' end, ${device}, n,
          '{"appraisal_id":"' || id || '"}', case n % 4 when 0 then 'bought' else '' end from named`,
        sql`insert into appraisal_word (organization_id, word, appraisal_id)
          ${named} select ${org}, case n % 2 when 0 then 'even' else 'odd' end, id from named`,
        sql`insert into appraised_device (organization_id, device_id, total)
          values (${org}, 'apple-iphone-13', 30000), (${org}, 'google-pixel-7', 30000)`,
        sql`insert into appraisal_word (organization_id, word, appraisal_id) values (${org}, 'needle', ${idOf(40_000)})`,
        sql`insert into stock_item (organization_id, appraisal_id, number, status, device_name, bought_at, bought_by, costs, defects, updated_at)
          ${named} select ${org}, id, n / 4, 'in_stock', '', 0, '{}', '[]', '[]', 0 from named where n % 4 = 0`,
        sql`insert into appraisal_outcome (organization_id, appraisal_id, status, created_by, updated_at, device_id, currency,
          is_sample) ${named} select ${org}, id, 'bought', '{}', 0, ${device}, 'USD', 0 from named where n % 4 = 0`,
      ])
        await insert.execute(tx)
    })
    for (const table of ['appraisal', 'appraisal_word', 'stock_item'] as const) await db.bulk.analyzeTable(table)
  })
  afterAll(() => db.close())

  /** The result, and how often a neighbour's request could run meanwhile. */
  async function withTurns<T>(work: Promise<T>): Promise<{ result: T; turns: number }> {
    let turns = 0
    let timer: Timer
    const next = () => {
      timer = setTimeout(() => {
        turns++
        next()
      }, 0)
    }
    next()
    const result = await work.finally(() => clearTimeout(timer))
    return { result, turns }
  }

  const history = (filter: AppraisalFilter, more: { page?: number; after?: string } = {}) =>
    appraisalStore(db).history(ORGANIZATION, { page: 1, limit: 50, ...more, ...filter })

  describe('a search of many appraisals', () => {
    test.each(['needle', 'needle iphone even', 'absent', 'iphone absent'])(
      'for a rare word (%s) reads only what its index finds',
      async (q) => {
        statements.length = 0
        const { ids, meta } = await history({ q })
        const expected = q.includes('absent') ? [] : [idOf(40_000)]
        expect([ids, meta.total]).toEqual([expected, expected.length])
        expect(statements.length).toBeLessThan(12)
        const scans = statements.filter((text) => /from "appraisal"[^(]* offset /.test(text))
        expect(scans).toEqual([])
      },
    )

    test('for common words that never occur together lets other requests run between its steps', async () => {
      const { result, turns } = await withTurns(history({ q: 'even pixel' }))
      expect(result.meta.total).toBe(0)
      expect(turns).toBeGreaterThanOrEqual(ROWS / 16_000)
    })

    test('for a common word counts 10,000 and says so, and pages and cursor give the newest first', async () => {
      const newest = (skip: number) => Array.from({ length: 50 }, (_, at) => idOf(ROWS - 2 * (skip + at)))
      const { ids, meta } = await history({ q: 'eve iphone' })
      expect(ids).toEqual(newest(0))
      expect(meta).toMatchObject({ total: 10_000, total_is_capped: true, has_next: true, next_after: ids.at(-1) })
      expect((await history({ q: 'EVEN' }, { page: 200 })).ids).toEqual(newest(9_950))
      expect((await history({ q: 'even' }, { after: idOf(ROWS - 2 * 20_000) })).ids).toEqual(newest(20_001))
    })

    test('combines with the other filters, and several filters need no search', async () => {
      expect((await history({ q: 'needle', decision: 'reject' })).ids).toEqual([idOf(40_000)])
      expect((await history({ q: 'needle', decision: 'buy' })).ids).toEqual([])
      const { result, turns } = await withTurns(history({ deviceId: 'google-pixel-7', outcome: 'bought' }))
      expect(result.meta.total).toBe(0)
      expect(turns).toBeGreaterThanOrEqual(ROWS / 16_000)
      const both = await history({ deviceId: 'apple-iphone-13', decision: 'buy' })
      expect([both.ids[0], both.meta.total]).toEqual([idOf(ROWS), 10_000])
    })

    test('exports all matches, oldest first', async () => {
      const ids: string[] = []
      for await (const batch of appraisalStore(db).export(ORGANIZATION, { q: 'odd', outcome: 'open' })) {
        expect(batch.length).toBeLessThanOrEqual(100)
        ids.push(...batch.map(({ appraisal_id }) => appraisal_id))
      }
      expect(ids).toEqual(Array.from({ length: ROWS / 2 }, (_, at) => idOf(2 * at + 1)))
    })
  })

  describe('other lists with a filter that no index answers', () => {
    const OTHER_ROWS = 40_000

    beforeAll(async () => {
      const rows =
        db.admin.dialect === 'postgres'
          ? sql`select n from generate_series(1, ${sql.lit(OTHER_ROWS)}) as n`
          : sql`with recursive rows (n) as (select 1 union all select n + 1 from rows where n < ${sql.lit(OTHER_ROWS)}) select n from rows`
      const org = sql.lit(ORGANIZATION)
      await db.transaction(async (tx) => {
        for (const insert of [
          sql`insert into request_log select 'rql_' || (100000 + n), ${org}, n, 'key_1', 'GET', 'GET /api/devices', 200, 1, 'r'
            from (${rows}) as r`,
          sql`insert into event select 'evt_' || n, n, 0, ${org}, case n when 3 then 'webhook.test' else 'price.changed' end, 's',
            '{}', n, null from (${rows}) as r`,
          sql`insert into webhook_endpoint values ('whk_many', ${org}, 'https://example.com', '[]', 'x', null, null, 99999, 0, 1, null, null)`,
          sql`insert into webhook_delivery select 'whk_many', n, 0, 's', 'delivered', 1, 0, 200, '', n, n from (${rows}) as r`,
          sql`insert into audit_entry select 'act_' || (100000 + n), ${org}, null, 'someone', 'key.created', 'x', '{}', n
            from (${rows}) as r`,
        ])
          await insert.execute(tx)
      })
    })

    test('let other requests run between the steps of their reading', async () => {
      const requests = await withTurns(requestLogStore(db).requestsOf(ORGANIZATION, { statusClass: 5 }, 50))
      const deliveries = webhookDeliveryStore(db, { decrypt: (text) => text })
      const tests = await withTurns(deliveries.deliveries(ORGANIZATION, 'whk_many', 50, { type: 'webhook.test' }))
      const person = { id: 'acc_1', organizationId: ORGANIZATION, email: 'nobody@example.com' }
      const entries = await withTurns(findAuditEntriesOf(db, person, [person.email]))
      expect([requests.result, tests.result.map(({ id }) => id), entries.result]).toEqual([[], ['evt_3'], []])
      for (const { turns } of [requests, tests, entries]) expect(turns).toBeGreaterThanOrEqual(2)
    })

    test('the erasure of a person rewrites appraisals in short transactions', async () => {
      const author = (name: string) => `{"kind":"person","id":"acc_1","name":"${name}"}`
      await db.transaction((tx) =>
        sql`update appraisal set response = ${`{"created_by":${author('Ada')}}`} where id <= ${idOf(5_000)}`.execute(
          tx,
        ),
      )
      const person = { id: 'acc_1', organizationId: ORGANIZATION, email: 'ada@example.com', name: 'Ada' } as Account
      const { turns } = await withTurns(accountDataStore(db).erase(person))
      expect(turns).toBeGreaterThanOrEqual(100)
      const left = db.query.selectFrom('appraisal').select('response').where('response', 'like', '%acc_1%').distinct()
      expect(await left.execute()).toEqual([{ response: `{"created_by":${author('acc_1')}}` }])
    })
  })

  describe('a search of a large stock', () => {
    const list = (q: string, after?: number) => stockStore(db).list(ORGANIZATION, { q, after, limit: 3 })

    test('finds a rare word, a number and a common word, highest number first', async () => {
      expect((await list('needle')).map(({ number }) => number)).toEqual([10_000])
      expect((await list('77')).map(({ number }) => number)).toEqual([77])
      expect((await list('iphone even', 500)).map(({ number }) => number)).toEqual([499, 498, 497])
      expect(await list('absent iphone')).toEqual([])
    })

    test('lets other requests run between the steps of a scan', async () => {
      const { result, turns } = await withTurns(list('odd iphone'))
      expect(result).toEqual([])
      expect(turns).toBeGreaterThanOrEqual(1)
    })
  })
})
