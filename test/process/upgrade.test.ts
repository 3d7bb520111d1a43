import { Database as BunDatabase } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { appraisalIdGenerator } from '../../src/appraisal/appraisal-id.ts'
import { withOutcome } from '../../src/appraisal/outcome.ts'
import { appraisalSchema } from '../../src/contract/appraisal.ts'
import { exampleAppraisal, exampleRejectedAppraisal } from '../../src/contract/examples.ts'
import { checkPostgres } from '../../src/db/backup/check-postgres.ts'
import { checkSqlite } from '../../src/db/backup/check-sqlite.ts'
import { type DatabaseOptions, openDatabase, sqlitePath } from '../../src/db/database.ts'
import { MIGRATIONS } from '../../src/db/migrations/index.ts'
import { bunSqliteDialect } from '../../src/db/sqlite/bun-dialect.ts'
import { lookupIdGenerator } from '../../src/risk/lookup-id.ts'
import { onBothDatabases } from '../support/databases.ts'
import oldAppraisals from './appraisals-0.1.0.json'

/** The newest migration of 0.1.0, the first release, and the last one before records were partitioned by month. */
const SCHEMAS = ['010-usage-writers', '023-uploads']
const ROWS = 5
const SOUND = { tables: [], problems: [], unknownMigrations: [], brokenReferences: [], wrongTotals: [] }

type Row = Record<string, string | number | null>
type Table = { readonly name: string; readonly columns: { readonly name: string; readonly isText: boolean }[] }

const random = (limit: number) => Math.floor(Math.random() * limit)
const LONG_AGO = Date.UTC(2026, 2, 31, 23, 59, 59)
const IDS: Record<string, (now: number) => string> = {
  lookup: lookupIdGenerator(random),
  appraisal: appraisalIdGenerator(random),
}

/** Columns that have another name today. */
const RENAMED_COLUMNS: Readonly<Record<string, string>> = {
  'observation_terms.rung': 'grade',
  'lookup.answer': 'response',
  'appraisal.answer': 'response',
  'idempotency.answer': 'response',
  'webhook_delivery.answer': 'response',
}

/** Row `n` of a table with unique values; `x_id` is the id of row `n` of the table `x`. */
function rowOf({ name: table, columns }: Table, n: number): Row {
  return Object.fromEntries(
    columns.map(({ name, isText }) => {
      if (name === 'id' && IDS[table]) return [name, IDS[table](LONG_AGO + n)]
      if (name === 'total') return [name, 1]
      if (!isText) return [name, n]
      return [name, name === 'id' ? `${table}-${n}` : `${name.replace(/_id$/, '')}-${n}`]
    }),
  )
}

onBothDatabases((store) => {
  const opened: Kysely<Record<string, Row>>[] = []
  afterAll(() => Promise.all(opened.map((each) => each.destroy())))

  /** The database without the service. */
  function rawStore({ url, dataDir }: DatabaseOptions): Kysely<Record<string, Row>> {
    const dialect = url
      ? new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) })
      : bunSqliteDialect(new BunDatabase(sqlitePath(dataDir)))
    const raw = new Kysely<Record<string, Row>>({ dialect })
    opened.push(raw)
    return raw
  }

  async function tablesOf(raw: Kysely<Record<string, Row>>): Promise<Table[]> {
    const found = await raw.introspection.getTables()
    const tables = found.map(({ name, columns }) => ({
      name,
      columns: columns.map((column) => ({ name: column.name, isText: /text/i.test(column.dataType) })),
    }))
    const parents = ['organization', 'person', 'device']
    return tables
      .filter(({ name }) => name !== 'migration')
      .sort((a, b) => parents.indexOf(b.name) - parents.indexOf(a.name))
  }

  /** The contents of the columns that the table had then. */
  const readAll = async (
    raw: Kysely<Record<string, Row>>,
    { name, columns }: Table,
    renamed: Readonly<Record<string, string>> = {},
  ): Promise<Row[]> => {
    const rows = await raw
      .selectFrom(name)
      .select(columns.map((column) => `${renamed[`${name}.${column.name}`] ?? column.name} as ${column.name}`))
      .execute()
    // PostgreSQL returns large numbers as text here.
    const asText = rows.map((row) => Object.entries(row).map(([column, value]) => [column, String(value)]))
    return asText.map((row) => Object.fromEntries(row)).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }

  /** Applies the migrations up to `newest`, as an older version of the program did. */
  async function applyUpTo(newest: string, old: Kysely<Record<string, Row>>, { url }: DatabaseOptions): Promise<void> {
    await sql`create table migration (name text primary key, applied_at bigint not null)`.execute(old)
    for (const { name, up } of MIGRATIONS.slice(0, MIGRATIONS.findIndex(({ name }) => name === newest) + 1)) {
      await up(old as unknown as Kysely<unknown>, url ? 'postgres' : 'sqlite')
      await old.insertInto('migration').values({ name, applied_at: 1 }).execute()
    }
  }

  for (const newest of SCHEMAS) {
    test(`a database of ${newest} is upgraded with every row of every table and passes the check`, async () => {
      const opening = await store.openEmpty()
      const raw = rawStore(opening)
      const before = new Map<Table, Row[]>()
      await raw.transaction().execute(async (old) => {
        await applyUpTo(newest, old, opening)
        for (const table of await tablesOf(old)) {
          for (let n = 1; n <= ROWS; n++) await old.insertInto(table.name).values(rowOf(table, n)).execute()
          before.set(table, await readAll(old, table))
        }
      })
      expect(before.size).toBeGreaterThan(25)

      const db = await openDatabase(opening)
      await db.close()
      for (const [table, rows] of before)
        expect({ table: table.name, rows: await readAll(raw, table, RENAMED_COLUMNS) }).toEqual({
          table: table.name,
          rows,
        })
      const check = opening.url ? await checkPostgres(opening.url) : checkSqlite(sqlitePath(opening.dataDir))
      expect({ ...check, tables: [] }).toEqual(SOUND)
    })
  }

  test('stored appraisals, policies, events and webhooks get the new public names', async () => {
    const opening = await store.openEmpty()
    const raw = rawStore(opening)
    const created = Date.UTC(2026, 2, 2)
    const responses = oldAppraisals.map((appraisal) => JSON.stringify(appraisal))
    const unchanged = '{"because":"another response"}'
    await raw.transaction().execute(async (old) => {
      await applyUpTo('026-monthly-partitions', old, opening)
      const fill = async (table: string, row: Row) => {
        const columns = (await tablesOf(old)).find(({ name }) => name === table)
        await old
          .insertInto(table)
          .values({ ...rowOf(columns as Table, 1), ...row })
          .execute()
      }
      await fill('organization', {})
      for (const [at, response] of responses.entries()) {
        await fill('appraisal', { id: IDS.appraisal?.(created + at) ?? '', answer: response })
      }
      await fill('idempotency', { key: 'batch', answer: `[{"index":0,"success":true,"result":${responses[0]}}]` })
      await fill('idempotency', { key: 'other', answer: unchanged })
      await fill('appraisal_policy', { document: '{"least_profit":900,"at_low_risk":"inspect","currency":"EUR"}' })
      await fill('activity', { action: 'organization.policy_changed', detail: '{"most_unknown_points":"30"}' })
      await fill('event', { type: 'price.moved', data: '{"previous":100,"current":120,"change_percent":20}' })
      await fill('webhook_endpoint', { types: 'identifier.status_changed price.moved' })
    })

    await (await openDatabase(opening)).close()
    const texts = async (table: string, column: string) =>
      (await raw.selectFrom(table).select(column).orderBy(column).execute()).map((row) => String(row[column]))
    const upgraded = (await raw.selectFrom('appraisal').select('response').orderBy('id').execute()).map(
      ({ response }) => appraisalSchema.parse(JSON.parse(withOutcome(String(response), null))),
    )
    const [bought, rejected] = upgraded
    expect(bought?.offer.reasons.map(({ code }) => code)).toEqual(
      exampleAppraisal.offer.reasons.map(({ code }) => code),
    )
    // The policy of that version: without a minimum confidence and with another loss limit.
    const { min_confidence: _, ...policy } = exampleAppraisal.policy
    expect(bought?.policy).toEqual({ ...policy, max_loss_probability: 0.1 })
    expect<unknown>(bought?.plans).toEqual(
      oldAppraisals[0]?.plans.map(({ plan, costs: { fees, holding, ...costs }, ...rest }) => ({
        ...rest,
        plan: plan === 'parts' ? 'sell_for_parts' : plan,
        costs: { ...costs, selling_fee: fees, holding_and_depreciation: holding },
      })),
    )
    expect<unknown>(bought?.repairs).toEqual(
      oldAppraisals[0]?.repairs.map(({ return: returned, ...repair }) => ({ ...repair, return_on_cost: returned })),
    )
    expect(rejected?.offer.reasons.map(({ code }) => code)).toEqual([
      ...exampleRejectedAppraisal.offer.reasons.map(({ code }) => code),
      'conflicting_input',
    ])
    expect(rejected?.identity.contradictions).toMatchObject([{ code: 'attribute_not_available' }])
    expect(rejected?.risk?.risk_factors.map(({ code }) => code)).toEqual(['reported_lost_stolen', 'baseline'])
    expect(rejected?.reference).toBe('"left": because')
    const [batch, other] = await texts('idempotency', 'response')
    // A response from before outcomes existed is replayed unchanged.
    const { outcome, ...replayed } = bought ?? {}
    expect(outcome).toBeNull()
    expect<unknown>(JSON.parse(batch ?? '')).toEqual([{ index: 0, success: true, result: replayed }])
    expect(other).toBe(unchanged)
    expect(await texts('appraisal_policy', 'document')).toEqual([
      '{"min_profit":900,"action_at_low_risk":"inspect","currency":"EUR"}',
    ])
    expect(await texts('activity', 'detail')).toEqual(['{"max_unverified_risk_points":"30"}'])
    expect(await texts('event', 'type')).toEqual(['price.changed'])
    expect(await texts('event', 'data')).toEqual(['{"previous_price":100,"current_price":120,"change_percent":20}'])
    expect(await texts('webhook_endpoint', 'types')).toEqual(['identifier.status_changed price.changed'])
  })

  test('keys get their creators from the audit trail', async () => {
    const opening = await store.openEmpty()
    const raw = rawStore(opening)
    await raw.transaction().execute(async (old) => {
      await applyUpTo('072-import-run-organization', old, opening)
      const tables = new Map((await tablesOf(old)).map((table) => [table.name, table]))
      const fill = (table: string, n: number, row: Row) =>
        old
          .insertInto(table)
          .values({ ...rowOf(tables.get(table) as Table, n), ...row })
          .execute()
      for (const n of [1, 2, 3]) {
        await fill('organization', n, {})
        await fill('api_key', n, { id: `key_${n}` })
      }
      await fill('activity', 1, { action: 'key.created', subject: 'key_1', who: 'owner@example.test' })
      await fill('activity', 2, { action: 'key.rotated', subject: 'key_2', who: 'manager@example.test' })
      await fill('activity', 3, { action: 'key.revoked', subject: 'key_3', who: 'owner@example.test' })
    })
    const db = await openDatabase(opening)
    const keys = await db.query.selectFrom('api_key').select(['id', 'created_by']).orderBy('id').execute()
    await db.close()
    expect(keys.map(({ created_by }) => created_by)).toEqual(['owner@example.test', 'manager@example.test', null])
  })

  test('bundled data, grades and counts of imports get their new names', async () => {
    const opening = await store.openEmpty()
    const raw = rawStore(opening)
    await raw.transaction().execute(async (old) => {
      await applyUpTo('066-issuer-sign-out', old, opening)
      const tables = new Map((await tablesOf(old)).map((table) => [table.name, table]))
      const fill = (table: string, row: Row) =>
        old
          .insertInto(table)
          .values({ ...rowOf(tables.get(table) as Table, 1), ...row })
          .execute()
      await fill('device', { source: 'on-board', provenance: '{"category":"on-board","name":"gsma"}' })
      await fill('tac', { source: 'on-board:osmocom+samsung-tac' })
      await fill('observation_terms', { rung: 'Good' })
      await fill('market_fit', { document: '{"effects":{"rung:Fair":-0.1}}' })
      await fill('event', { type: 'import.finished', data: '{"figures":{"rows":3}}' })
    })

    await (await openDatabase(opening)).close()
    expect(await raw.selectFrom('device').select(['source', 'provenance']).execute()).toEqual([
      { source: 'bundled', provenance: '{"category":"bundled","name":"gsma"}' },
    ])
    expect(await raw.selectFrom('tac').select('source').execute()).toEqual([{ source: 'bundled:osmocom+samsung-tac' }])
    expect(await raw.selectFrom('observation_terms').select('grade').execute()).toEqual([{ grade: 'Good' }])
    expect(await raw.selectFrom('market_fit').select('document').execute()).toEqual([
      { document: '{"effects":{"grade:Fair":-0.1}}' },
    ])
    expect(await raw.selectFrom('event').select('data').execute()).toEqual([{ data: '{"counts":{"rows":3}}' }])
  })
})
