import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { recordStore } from '../../src/records/record-store.ts'
import { lookupIdGenerator, minLookupIdAt } from '../../src/risk/lookup-id.ts'
import { lookupStore } from '../../src/risk/lookup-store.ts'
import { hasPgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { startPostgres } from '../support/postgres.ts'
import { newDataDir, runProgram } from '../support/program.ts'

const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()
const ORGANIZATION = 'org_partitions'

function month(from: number, months: number): number {
  const at = new Date(from)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1)
}

const nameOf = (start: number) => `lookup_${new Date(start).toISOString().slice(0, 7).replace('-', '_')}`

if (postgres) {
  const folder = newDataDir()
  const now = Date.now()
  // A new generator each time: one never goes back in time.
  const nextId = (at: number) => lookupIdGenerator((limit) => Math.floor(Math.random() * limit))(at)
  let url = ''
  let db: Database
  let client: pg.Client

  beforeAll(async () => {
    url = await postgres.createDatabase()
    db = await openDatabase({ url, dataDir: folder, workload: 'server' })
    client = new pg.Client({ connectionString: url })
    await client.connect()
  })
  afterAll(async () => {
    await db.close()
    await client.end()
    rmSync(folder, { recursive: true, force: true })
  })

  async function write(into: Database, createdAt: number): Promise<string> {
    const id = nextId(createdAt)
    const record = { id, organizationId: ORGANIZATION, identifierKey: 'k', createdAt, json: '{}' }
    const writes = lookupStore(into).writes(ORGANIZATION, [record])
    await recordStore(into).save([{ organizationId: ORGANIZATION, writes, idempotency: null, now }])
    return id
  }

  const places = async (): Promise<string[]> =>
    (
      await client.query<{ place: string }>('select tableoid::regclass::text as place from lookup order by id')
    ).rows.map(({ place }) => place)

  const partitions = async (): Promise<string[]> =>
    (
      await client.query<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'lookup'::regclass order by 1`,
      )
    ).rows.map(({ name }) => name)

  async function planOf(query: string, ...values: string[]): Promise<string> {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${query}`, values)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  test('partitions of the next three months exist from the first start, and each takes its own rows', async () => {
    expect(await partitions()).toEqual(
      ['lookup_before', 'lookup_later', ...[1, 2, 3].map((months) => nameOf(month(now, months)))].sort(),
    )
    await write(db, month(now, 1) - 1)
    await write(db, month(now, 1))
    await write(db, month(now, 3))
    await write(db, month(now, 5))
    expect(await places()).toEqual(['lookup_before', nameOf(month(now, 1)), nameOf(month(now, 3)), 'lookup_later'])
    await db.admin.createMonthlyPartitions(month(now, 2))
    expect((await places()).at(-1)).toBe(nameOf(month(now, 5)))
  })

  test('a page reads from the newest month on, and an id or a time range reads only its own month', async () => {
    // The planner would sort so few rows.
    await client.query('set enable_sort = off')
    const page = await planOf('select response from lookup where organization_id = $1 order by id desc limit 50', 'o')
    // Append without a merge: partitions that the page does not need are not read.
    expect(page).toContain('Append')
    expect(page).not.toContain('Merge Append')
    expect(page).not.toContain('Sort')
    const second = nameOf(month(now, 2))
    const one = 'select response from lookup where organization_id = $1 and id = $2'
    const found = await planOf(one, 'o', nextId(month(now, 2) + 5))
    expect(found).toContain(second)
    expect(found).not.toContain('lookup_before')
    const span = 'select id from lookup where organization_id = $1 and id > $2 and id < $3 order by id'
    const within = await planOf(span, 'o', minLookupIdAt(month(now, 2) + 1), minLookupIdAt(month(now, 3)))
    expect(within).toContain(second)
    expect(within).not.toMatch(/lookup_before|lookup_later/)
  })

  test('retention drops the tables of past months, and a lookup of that time can still be stored', async () => {
    await lookupStore(db).deleteLookupsBefore(month(now, 2) + 1)
    expect(await places()).toEqual([nameOf(month(now, 3)), nameOf(month(now, 5))])
    const left = await partitions()
    expect(left).not.toContain(nameOf(month(now, 1)))
    expect(left).toContain(nameOf(month(now, 2)))
    await write(db, month(now, 1))
    expect(await places()).toEqual(['lookup_before', nameOf(month(now, 3)), nameOf(month(now, 5))])
  })

  test('while a dump locks the table, rows are deleted individually without waiting', async () => {
    await client.query('begin')
    await client.query('select count(*) from lookup')
    expect(await lookupStore(db).deleteLookupsBefore(month(now, 4))).toBe(2)
    await write(db, month(now, 6))
    await client.query('commit')
    expect(await places()).toEqual([nameOf(month(now, 5)), 'lookup_later'])
    expect(await partitions()).toContain(nameOf(month(now, 3)))
  })

  test('"store check" counts lookups as one complete table with correct totals', async () => {
    const { code, stdout } = await runProgram(['store', 'check', '--json'], { DATABASE_URL: url, DATA_DIR: folder })
    expect(code).toBe(0)
    const { tables } = JSON.parse(stdout) as { tables: Record<string, { rows: number; whole: boolean }> }
    expect(Object.entries(tables).filter(([name]) => name.startsWith('lookup'))).toEqual([
      ['lookup', { rows: 2, whole: true }],
      ['lookup_total', { rows: 1, whole: true }],
    ])
  })

  if (hasPgbouncer) {
    test('also through PgBouncer in transaction mode, months are created, filled and dropped', async () => {
      const pooler = await startPgbouncer(await postgres.createDatabase())
      const pooled = await openDatabase({ url: pooler.url, dataDir: folder, workload: 'server' })
      try {
        await write(pooled, now)
        await write(pooled, month(now, 1))
        await write(pooled, month(now, 6))
        await pooled.admin.createMonthlyPartitions(month(now, 4))
        expect(await lookupStore(pooled).deleteLookupsBefore(month(now, 2))).toBe(2)
        const { meta } = await lookupStore(pooled).history(ORGANIZATION, { page: 1, limit: 10 })
        expect(meta.total).toBe(1)
      } finally {
        await pooled.close()
        await pooler.stop()
      }
    })
  }
}
