import { Database as BunDatabase } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase, sqlitePath } from '../../src/db/database.ts'
import { openPostgresEndpoint } from '../../src/db/move/postgres-endpoint.ts'
import { openSqliteEndpoint } from '../../src/db/move/sqlite-endpoint.ts'
import { LEADER_LOCK } from '../../src/jobs/leader-lock-service.ts'
import { idLowerBound, recordIdShape } from '../../src/lib/id.ts'
import { startPostgres } from '../support/postgres.ts'
import { runProgram } from '../support/program.ts'

const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()
const folder = mkdtempSync(join(tmpdir(), 'di-move-'))
const MONTHS = 4
const ROWS_PER_MONTH = 15_000
const PAGE_ROWS = 1_000

async function fill(client: pg.Client): Promise<void> {
  for (let month = 0; month < MONTHS; month++) {
    const prefix = idLowerBound(recordIdShape('lkp'), Date.UTC(2026, month, 10))
    await client.query(
      `insert into lookup (organization_id, id, identifier_key, created_at, response)
       select case when i % 50 = 0 then 'org_2' else 'org_1' end, $1 || lpad(i::text, 16, '0'), 'k' || i, 0, '{}'
       from generate_series(1, ${ROWS_PER_MONTH}) i`,
      [prefix],
    )
  }
  await client.query('analyze lookup')
}

async function indexesOfPostgres(url: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    'select indexname, indexdef from pg_indexes where schemaname = current_schema() order by indexname',
  )
  await client.end()
  return rows
}

/** Names of all tables of a PostgreSQL database. */
async function tableNames(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`select tablename from pg_tables where schemaname = current_schema()`)
  await client.end()
  return rows.map(({ tablename }) => tablename)
}

test('a folder with another database is rejected as a target and stays as it is, also if its schema is older', async () => {
  const [from, to] = ['rejected-source', 'rejected-target'].map((name) => join(folder, name)) as [string, string]
  for (const dataDir of [from, to]) await (await openDatabase({ url: '', dataDir })).close()
  const connection = new BunDatabase(sqlitePath(to))
  connection.run("delete from migration where name > '071'")
  connection.run('create table customer (id text primary key)')
  const schema = () => JSON.stringify(connection.query('select * from sqlite_master, migration').all())
  const before = schema()
  const moved = await runProgram(['move', '--to', to], { DATA_DIR: from })
  expect(moved.stderr).toContain('There is already a database in')
  expect([moved.code, schema() === before]).toEqual([1, true])
  connection.close()
})

test('a move is rejected while a service or another move uses the source', async () => {
  const dataDir = join(folder, 'locked-source')
  const db = await openDatabase({ url: '', dataDir })
  const target = join(folder, 'locked-target')
  await db.withLock(
    LEADER_LOCK,
    async () => {
      const second = await runProgram(['move', '--to', target], { DATA_DIR: dataDir })
      expect(second.stderr).toContain(`A service or another move uses ${dataDir}. Stop it first.`)
      expect(second.code).toBe(1)
    },
    () => {},
  )
  await db.close()
  expect(existsSync(target)).toBe(false)
})

test('a move is rejected while another one fills the target', async () => {
  const [from, to] = ['second-source', 'filling-target'].map((name) => join(folder, name)) as [string, string]
  await (await openDatabase({ url: '', dataDir: from })).close()
  const db = await openDatabase({ url: '', dataDir: to })
  const connection = new BunDatabase(sqlitePath(to))
  connection.run('create table store_filling (index_sql text)')
  connection.close()
  await db.withLock(
    LEADER_LOCK,
    async () => {
      const second = await runProgram(['move', '--to', to], { DATA_DIR: from })
      expect(second.stderr).toContain(`A service or another move uses ${to}. Stop it first.`)
      expect(second.code).toBe(1)
    },
    () => {},
  )
  await db.close()
})

test('a move that was killed before the target had its tables continues', async () => {
  const dataDir = join(folder, 'early-source')
  await (await openDatabase({ url: '', dataDir })).close()
  const target = join(folder, 'early-target')
  mkdirSync(target)
  const connection = new BunDatabase(sqlitePath(target), { create: true })
  connection.run('create table migration (name text primary key, applied_at bigint not null)')
  connection.close()
  const moved = await runProgram(['move', '--to', target], { DATA_DIR: dataDir })
  expect([moved.code, moved.stderr]).toMatchObject([0, expect.stringContaining('Moved to')])
})

/** Names and definitions of all indexes of an embedded database. */
function indexesOf(dataDir: string): unknown[] {
  const connection = new BunDatabase(sqlitePath(dataDir), { readonly: true })
  const indexes = connection.query("select name, sql from sqlite_master where type = 'index' order by name").values()
  connection.close()
  return indexes
}

test('a moved database has every index of the source, also if an earlier move was interrupted', async () => {
  const [from, to] = ['indexed-source', 'indexed-target'].map((name) => join(folder, name)) as [string, string]
  for (const dataDir of [from, to]) await (await openDatabase({ url: '', dataDir })).close()
  {
    await using interrupted = openSqliteEndpoint(sqlitePath(to))
    await interrupted.startFilling()
    await interrupted.clear(await interrupted.tables())
  }
  expect(indexesOf(to).length).toBeLessThan(indexesOf(from).length)
  const moved = await runProgram(['move', '--to', to], { DATA_DIR: from })
  expect(moved.code).toBe(0)
  expect(indexesOf(to)).toEqual(indexesOf(from))
})

if (postgres) {
  test('a database moved to PostgreSQL has every index of a new one, also if an earlier move was interrupted', async () => {
    const [url, newUrl] = [await postgres.createDatabase(), await postgres.createDatabase()]
    const dataDir = join(folder, 'indexed-postgres-source')
    for (const options of [
      { url, dataDir: folder },
      { url: newUrl, dataDir: folder },
      { url: '', dataDir },
    ])
      await (await openDatabase(options)).close()
    {
      await using interrupted = await openPostgresEndpoint(url)
      await interrupted.startFilling()
      await interrupted.clear(await interrupted.tables())
    }
    const moved = await runProgram(['move', '--to', url], { DATA_DIR: dataDir })
    expect(moved.code).toBe(0)
    expect(await indexesOfPostgres(url)).toEqual(await indexesOfPostgres(newUrl))
  })

  test('a PostgreSQL database with tables of another program is rejected as a target and gets no table', async () => {
    const url = await postgres.createDatabase()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('create table customer (id text primary key)')
    await client.end()
    const dataDir = join(folder, 'foreign-source')
    await (await openDatabase({ url: '', dataDir })).close()
    const moved = await runProgram(['move', '--to', url], { DATA_DIR: dataDir })
    expect(moved.stderr).toContain('The target must be empty')
    expect(moved.code).toBe(1)
    expect(await tableNames(url)).toEqual(['customer'])
  })

  test('a page of an organization with many rows reads only that page from the index', async () => {
    const url = await postgres.createDatabase()
    await (await openDatabase({ url, dataDir: folder })).close()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await fill(client)
    const reads = async () => {
      const { rows } = await client.query(
        `select coalesce(sum(seq_tup_read), 0)::int as scanned, coalesce(sum(idx_tup_fetch), 0)::int as fetched
         from pg_stat_user_tables where relname like 'lookup\\_%' and relname <> 'lookup_total'`,
      )
      return rows[0] as { scanned: number; fetched: number }
    }
    await client.query('select pg_stat_force_next_flush()')
    const before = await reads()
    const side = await openPostgresEndpoint(url)
    const table = (await side.tables()).find(({ name }) => name === 'lookup')
    if (!table) throw new Error('no table')
    let position = null
    for (let page = 0; page < 10; page++) {
      const { rows, last } = await side.read(table, position, PAGE_ROWS)
      expect(rows).toHaveLength(PAGE_ROWS)
      position = last as never
    }
    // The counters are complete once the connection has ended.
    await side.close()
    const after = await reads()
    expect(after.scanned - before.scanned).toBe(0)
    // One row is read ahead for every page.
    expect(after.fetched - before.fetched).toBeLessThan(10 * PAGE_ROWS * 2)
    await client.end()
  })
}
