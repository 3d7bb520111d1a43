import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { appraisalStore } from '../../src/appraisal/appraisal-store.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { eventStore } from '../../src/events/event-store.ts'
import { watchStore } from '../../src/events/watch-store.ts'
import { webhookDeliveryStore } from '../../src/events/webhook-delivery-store.ts'
import { DAY_MS, dayOf, HOUR_MS } from '../../src/lib/time.ts'
import { recordStore } from '../../src/records/record-store.ts'
import { lookupStore } from '../../src/risk/lookup-store.ts'
import { referenceDataStore } from '../../src/risk/reference-data-store.ts'
import { usageStore } from '../../src/usage/usage-store.ts'
import { copyFilledPostgres } from '../support/filled-database.ts'
import { startPostgres } from '../support/postgres.ts'
import { newDataDir, type RunningProgram, runProgram, shownKeys, startProgram } from '../support/program.ts'
import { madeId } from '../support/synthetic-identifiers.ts'

/**
 * PostgreSQL counts full scans of each table; no query of the service may scan a large one. ROWS=10000000 fills it like a large installation; the
 * default is enough for the planner to choose the same plans.
 */
const ROWS = Number(process.env.ROWS ?? 30_000)
/** Lists, appraisals and everything else have at most a tenth of the rows of lookups and observations. */
const FEWER_ROWS = Math.min(ROWS, 1_000_000)
const STATISTICS_MS = 1_500
const NOW = Date.now()
/** Records of the past ten months and the next three. */
const LONG_AGO = NOW - 300 * DAY_MS
const SPAN_MS = 390 * DAY_MS

const BIG = [
  ...[
    'appraisal',
    'appraisal_outcome',
    'audit_entry',
    'event',
    'idempotency',
    'listed_identifier',
    'lookup',
    'observation',
    'request_log',
    'source_cache',
  ],
  ...['tac', 'usage_count', 'usage_hour', 'usage_peak', 'watch', 'webhook_delivery'],
]

const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()

if (postgres) {
  const folder = newDataDir()
  let program: RunningProgram
  let client: pg.Client
  let db: Database
  let organization = ''
  let settings: Record<string, string>
  let headers: Record<string, string>

  beforeAll(
    async () => {
      const url = await copyFilledPostgres(postgres, folder, 'full')
      settings = { DATABASE_URL: url, DATA_DIR: folder, RATE_LIMIT_ENTERPRISE: '1000000', RATE_LIMIT_PAID: '1000000' }
      const first = await startProgram(settings)
      headers = { Authorization: `Bearer ${shownKeys(first.stderr()).enterprise}`, 'Content-Type': 'application/json' }
      const answerTo = async (path: string, body: object) => {
        const response = await fetch(first.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
        return JSON.stringify(((await response.json()) as { data: object }).data)
      }
      const responses = [
        await answerTo('/api/imei', { identifier: '490154203237518' }),
        await answerTo('/api/appraisals', { variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' }),
      ]
      await first.stop()
      organization = JSON.parse((await runProgram(['org', 'list', '--json'], settings)).stdout)[0].id
      client = new pg.Client({ connectionString: url })
      await client.connect()
      await fill(client, organization, responses)
      // Only here: half a minute after its start the service begins to delete old rows.
      expect([...(await wholeReads()).keys()]).toEqual(expect.arrayContaining(BIG))
      db = await openDatabase({ url, dataDir: folder })
      program = await startProgram(settings)
    },
    300_000 + ROWS / 4,
  )
  afterAll(async () => {
    await program?.stop()
    await db?.close()
    await client?.end()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Full scans of each large table. */
  async function wholeReads(): Promise<Map<string, number>> {
    await Bun.sleep(STATISTICS_MS)
    const { rows } = await client.query<{ name: string; reads: string }>(
      'select relname as name, seq_scan as reads from pg_stat_user_tables where n_live_tup >= $1',
      [FEWER_ROWS / 2],
    )
    return new Map(rows.map(({ name, reads }) => [name, Number(reads)]))
  }

  /** The large tables that were scanned meanwhile. */
  async function readWholeBy(work: () => Promise<unknown>): Promise<string[]> {
    const before = await wholeReads()
    await work()
    const after = await wholeReads()
    return [...after].flatMap(([name, reads]) => (reads > (before.get(name) ?? 0) ? [name] : []))
  }

  async function ask(path: string, body?: object, more: Record<string, string> = {}): Promise<void> {
    const response = await fetch(program.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { ...headers, ...more },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
  }

  test('a start scans no large table', async () => {
    // As if the keys of the first start had not been shown: they belong to the organization that it created.
    await client.query(`delete from setting where name = 'first_keys_shown'`)
    const read = await readWholeBy(async () => {
      const other = await startProgram({ ...settings, DATA_DIR: newDataDir() })
      await other.stop()
    })
    expect(read).toEqual([])
  })

  test('lookups, their history and repeated requests scan no large table', async () => {
    const read = await readWholeBy(async () => {
      for (const identifier of ['490154203237518', '356938035643809', '35000000000001'])
        await ask('/api/imei', { identifier })
      await ask('/api/imei/batch', { items: [{ identifier: '490154203237518' }, { identifier: '356938035643809' }] })
      for (const _ of [1, 2]) await ask('/api/imei', { identifier: '490154203237518' }, { 'Idempotency-Key': 'again' })
      for (const query of ['', '?page=2&limit=100', '?identifier=490154203237518']) await ask(`/api/imei${query}`)
    })
    expect(read).toEqual([])
  })

  test('appraisals, prices, repairs and the registry scan no large table', async () => {
    const variant = 'apple-iphone-13-128gb-midnight'
    const read = await readWholeBy(async () => {
      await ask('/api/appraisals', {
        variant_id: variant,
        condition: 'Good',
        reference: 'R-1',
        identifier: '490154203237518',
      })
      for (const query of ['', '?reference=R-1', '?decision=buy', '?page=2&limit=50'])
        await ask(`/api/appraisals${query}`)
      await ask(`/api/pricing?variant_id=${variant}`)
      await ask(`/api/pricing?variant_id=${variant}&history_days=700`)
      await ask(`/api/repairs?variant_id=${variant}`)
      await ask('/api/devices?search=iphone')
    })
    expect(read).toEqual([])
  })

  test('exports, imports and keys scan no large table', async () => {
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const stolen = file('stolen.csv', 'imei,status\n490154203237518,blacklist\n')
    const prices = file(
      'prices.csv',
      'title,price,currency,date,condition\niPhone 13 128GB Midnight,399,USD,2026-10-01,Good\n',
    )
    const read = await readWholeBy(async () => {
      for (const args of [
        ['export', 'lookups', '--org', organization, '--from', dayOf(NOW - 20 * DAY_MS)],
        ['export', 'appraisals', '--org', organization, '--from', dayOf(NOW - 20 * DAY_MS)],
        ['import', 'lists', stolen, '--list', 'short'],
        ['import', 'observations', prices, '--side', 'sold'],
        ['key', 'list', '--org', organization],
        ['key', 'create', '--org', organization, '--tier', 'paid'],
      ]) {
        const { code, stderr } = await runProgram(args, settings)
        if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
      }
      // Long enough for the service to reload.
      await Bun.sleep(1_500)
    })
    expect(read).toEqual([])
  })

  test('watches, events, webhooks and the dashboard scan no large table', async () => {
    const read = await readWholeBy(async () => {
      await ask('/api/watches', { identifier: '490154203237518' })
      for (const query of ['', '?reference=R-1']) await ask(`/api/watches${query}`)
      for (const query of ['', '?type=price.changed', `?after=evt_${String(FEWER_ROWS / 2).padStart(13, '0')}`])
        await ask(`/api/events${query}`)
      const webhooks = webhookDeliveryStore(db, { decrypt: (text) => text })
      await webhooks.fanOut(NOW)
      for (const endpoint of [...(await webhooks.endpointsDue(NOW)).due.map(({ id }) => id), 'whk_1']) {
        await webhooks.due([{ endpointId: endpoint, limit: 20 }], NOW)
        await webhooks.deliveries(organization, 'whk_1', 20)
      }
      for await (const _ of watchStore(db).variantWatches(NOW)) break
      await appraisalStore(db).devices(organization, 200)
      const usage = usageStore(db)
      await usage.of(organization, dayOf(NOW - 7 * DAY_MS), NOW)
      await usage.hoursOf(organization, Math.floor(NOW / HOUR_MS) - 24)
      for (const filter of [{}, { statusClass: 5 }, { keyId: 'key_1' }])
        await usage.requestsOf(organization, filter, 50)
    })
    expect(read).toEqual([])
  })

  test('deleting old rows scans no large table', async () => {
    const read = await readWholeBy(async () => {
      const before = LONG_AGO + SPAN_MS / 1_000
      expect(await lookupStore(db).deleteLookupsBefore(before)).toBeGreaterThan(0)
      await appraisalStore(db).deleteAppraisalsBefore(before)
      await recordStore(db).deleteExpiredClaims(before + DAY_MS)
      await referenceDataStore(db).deleteFactsBefore(before)
      await usageStore(db).deleteOldUsage(NOW)
      await usageStore(db).deleteOldRequests(NOW)
      await webhookDeliveryStore(db, { decrypt: (text) => text }).deleteDeliveriesBefore(before)
      await eventStore(db).deleteBefore(before)
      await watchStore(db).deleteEnded(before, 30)
    })
    expect(read).toEqual([])
  })

  // Last, because it deletes rows that the other tests query.
  test('past months are dropped at once, however many rows they have', async () => {
    const monthToCome = new Date(Date.UTC(new Date(NOW).getUTCFullYear(), new Date(NOW).getUTCMonth() + 2, 1))
    const { rows: before } = await client.query('select count(*)::int as lookups from lookup')
    const deletedCount = await lookupStore(db).deleteLookupsBefore(monthToCome.getTime())
    const { rows: after } = await client.query('select count(*)::int as lookups from lookup')
    expect(after[0].lookups).toBe(before[0].lookups - deletedCount)
    expect(deletedCount).toBeGreaterThan(ROWS / 2)
    const { rows: totals } = await client.query('select sum(total)::int as lookups from lookup_total')
    expect(totals[0].lookups).toBe(after[0].lookups)
  }, 600_000)
}

/** Realistic rows of many organizations and devices; some belong to the calling organization. */
async function fill(client: pg.Client, organization: string, responses: readonly string[]): Promise<void> {
  const [lookup, appraisal] = responses.map(
    (response) => `case when n % 50 = 0 then ${pg.escapeLiteral(response)} else '{}' end`,
  )
  const whose = `case when n % 50 = 0 then '${organization}' else 'org_' || (n % 997) end`
  const timeOf = (rows: number) => `${LONG_AGO}::bigint + n * ${SPAN_MS / rows}::bigint`
  const at = timeOf(FEWER_ROWS)
  // One of a hundred is older than the retention of usage.
  const day = `case when n % 100 = 0 then '${dayOf(LONG_AGO)}' else '${dayOf(NOW)}' end`
  const many = `from generate_series(1, ${ROWS}) n`
  const fewer = `from generate_series(1, ${FEWER_ROWS}) n`
  const serial = `lpad(n::text, 16, '0')`
  for (const statement of [
    'set synchronous_commit = off',
    `insert into lookup (organization_id, id, identifier_key, created_at, response)
     select ${whose}, ${madeId('lkp', timeOf(ROWS), 'n')}, lpad((n * 7919::bigint % 100000007)::text, 14, '0'),
       ${timeOf(ROWS)}, ${lookup} ${many}`,
    'truncate lookup_total, appraisal_total, appraised_device, event',
    'insert into lookup_total select organization_id, count(*) from lookup group by 1',
    `insert into appraisal (organization_id, id, reference, decision, device_id, created_at, response)
     select ${whose}, ${madeId('apr', at, 'n')}, 'R' || n, (array['buy','inspect','reject'])[1 + n % 3],
       'device-' || n % 5000, ${at}, ${appraisal} ${fewer}`,
    'insert into appraisal_total select organization_id, decision, count(*) from appraisal group by 1, 2',
    'insert into appraised_device select organization_id, device_id, count(*) from appraisal group by 1, 2',
    `insert into idempotency (organization_id, key, body_hash, created_at, response)
     select ${whose}, 'k' || n, md5(n::text), ${at}, '{}' ${fewer}`,
    `insert into source_cache (source, key, facts, fetched_at) select 'gsma', lpad(n::text, 14, '0'), '{}', ${at} ${fewer}`,
    `insert into identifier_list (name, kind, entries, imported_at) values ('filled', 'stolen', ${FEWER_ROWS}, ${NOW})`,
    `insert into listed_identifier (list, kind, key14, status, listed_at, run_id)
     select 'filled', 'stolen', lpad((n * 7919::bigint % 100000007)::text, 14, '3'), 'blacklist', ${at}, 'run' ${fewer}
     on conflict do nothing`,
    `insert into observation_source (name) values ('filled')`,
    `insert into observation_subject (device_id, configuration, variant_id)
     select 'filled-' || n, '', '' from generate_series(1, 5000) n`,
    `insert into observation_terms (side, grade, label, lock, paid_in, state) values ('resale', 'good', 'filled', '', 'USD', '')`,
    `insert into observation (source_id, listing_id, subject_id, terms_id, cents, observed_at)
     select (select id from observation_source where name = 'filled'), 'l' || n,
       (select min(id) from observation_subject where device_id like 'filled-%') + n % 5000,
       (select id from observation_terms where label = 'filled'), 10000 + n % 5000, ${timeOf(ROWS)} ${many}`,
    `insert into audit_entry (id, organization_id, who, action, subject, detail, created_at)
     select 'act_' || ${serial}, ${whose}, 'somebody', 'appraisal.created', 'apr_' || n, '{}', ${at} ${fewer}`,
    `insert into appraisal_outcome (organization_id, appraisal_id, status, created_by, updated_at, device_id, configuration, currency, is_sample)
     select ${whose}, 'apr_' || ${serial}, 'declined', '{}', ${at}, 'device-' || n % 5000, '', 'USD', 0 ${fewer}`,
    `insert into tac (tac, make, model, source, confidence)
     select lpad(n::text, 8, '9'), 'Make', 'Model ' || n, 'filled', 50 ${fewer} on conflict do nothing`,
    `insert into usage_count (organization_id, day, key_id, route, status, count)
     select ${whose}, ${day}, 'key_' || n, '/api/devices', 200, 1 ${fewer}`,
    `insert into usage_peak (organization_id, day, key_id, peak_per_minute)
     select ${whose}, ${day}, 'key_' || n, 1 ${fewer}`,
    `insert into usage_hour (organization_id, hour, key_id, route, status, latency, count)
     select ${whose}, ${Math.floor(NOW / HOUR_MS)} - n % 500, 'key_' || n, '/api/devices', 200, 1, 1 ${fewer}`,
    `insert into request_log (id, organization_id, at, key_id, method, route, status, duration_us, request_id)
     select 'rql_' || substr(lower(${madeId('rql', `${NOW}::bigint - 86400000 + n`, 'n')}), 6), ${whose}, ${NOW}, 'key_' || n % 100,
       'GET', '/api/devices', 200, 100, 'r' || n ${fewer}`,
    `insert into watch (id, organization_id, kind, subject, tac, identifier, identifier_type, reference, until, created_at)
     select 'wch_' || ${serial}, ${whose}, case when n % 1000 = 0 then 'variant' else 'identifier' end, lpad(n::text, 14, '0'),
       lpad((n % 50000)::text, 8, '0'), n::text, 'imei', '', ${NOW}::bigint + n * 1000, ${NOW} ${fewer}`,
    `insert into event (id, revision, ordinal, organization_id, type, subject, data, created_at)
     select 'evt_' || lpad(n::text, 13, '0'), n, 1, ${whose}, 'price.changed', 'variant ' || n, '{}', ${at} ${fewer}`,
    `insert into change (topic, counter) values ('events', ${FEWER_ROWS})
     on conflict (topic) do update set counter = change.counter + excluded.counter`,
    `insert into webhook_endpoint (id, organization_id, url, types, secret, cursor_revision, cursor_ordinal, created_at)
     select 'whk_' || n, case when n = 1 then '${organization}' else 'org_' || n end, 'https://127.0.0.1/', '', 'whsec_' || n,
       ${FEWER_ROWS}, 1, ${NOW} from generate_series(1, 20) n`,
    `insert into webhook_delivery (endpoint_id, revision, ordinal, subject, state, attempts, next_at, response, created_at)
     select 'whk_' || (1 + n % 20), n, 1, 'variant ' || n, 'delivered', 1, ${at}, '', ${at} ${fewer}`,
    'analyze',
  ])
    await client.query(statement)
}
