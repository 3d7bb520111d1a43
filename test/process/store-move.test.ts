import { Database as BunDatabase } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase, sqlitePath } from '../../src/db/database.ts'
import { moveDatabase } from '../../src/db/move/database-move.ts'
import type { MoveEndpoint } from '../../src/db/move/move-endpoint.ts'
import { openPostgresEndpoint } from '../../src/db/move/postgres-endpoint.ts'
import { openSqliteEndpoint } from '../../src/db/move/sqlite-endpoint.ts'
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

const withoutProgress = { sourceName: 'source', movedMessage: 'moved', onProgress: () => {} }

/** Reads every row of every table in a fixed order. */
async function contentOf(side: MoveEndpoint): Promise<Map<string, string[]>> {
  const content = new Map<string, string[]>()
  for (const table of await side.tables()) {
    const rows: string[] = []
    for (let position = null; ; ) {
      const page = await side.read(table, position, PAGE_ROWS)
      if (page.last === null) break
      rows.push(...page.rows.map((row) => JSON.stringify(row)))
      position = page.last as never
    }
    content.set(table.name, rows.sort())
  }
  return content
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

test('a second move from the same database is rejected while the first runs', async () => {
  const dataDir = join(folder, 'locked-source')
  const db = await openDatabase({ url: '', dataDir })
  const target = join(folder, 'locked-target')
  await db.withLock(
    'store-move',
    async () => {
      const second = await runProgram(['move', '--to', target], { DATA_DIR: dataDir })
      expect(second.stderr).toContain('Another "move"')
      expect(second.code).toBe(1)
    },
    () => {},
  )
  await db.close()
  expect(existsSync(target)).toBe(false)
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

if (postgres) {
  test('a PostgreSQL database with tables of another program is rejected as a target and gets no table', async () => {
    const url = await postgres.createDatabase()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('create table customer (id text primary key)')
    await client.end()
    const dataDir = join(folder, 'foreign-source')
    await (await openDatabase({ url: '', dataDir })).close()
    const moved = await runProgram(['move', '--to', url], { DATA_DIR: dataDir })
    expect(moved.stderr).toContain('A move needs an empty target')
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

  test('while writers wait only tables with changed rows are read again, and only new rows of the others', async () => {
    const url = await postgres.createDatabase()
    await (await openDatabase({ url, dataDir: folder })).close()
    const dataDir = join(folder, 'tracked')
    const db = await openDatabase({ url: '', dataDir })
    const put = (name: string, value = 'x') =>
      db.transaction((tx) => db.insertMany(tx, 'setting', [{ name, value }], { conflictColumns: ['name'] }))
    const putRow = (table: 'change', topic: string) =>
      db.transaction((tx) => tx.insertInto(table).values({ topic, counter: 1 }).execute())
    await put('a')
    await put('b')
    await putRow('change', 'first')
    const source = openSqliteEndpoint(sqlitePath(dataDir))
    const target = await openPostgresEndpoint(url)
    let isLocked = false
    const pages = new Map<string, number>()
    const counting: MoveEndpoint = {
      ...source,
      async lockWrites() {
        await putRow('change', 'second')
        await put('a', 'changed')
        await source.lockWrites()
        isLocked = true
      },
      async read(table, after, limit) {
        const page = await source.read(table, after, limit)
        if (isLocked) pages.set(table.name, (pages.get(table.name) ?? 0) + page.rows.length)
        return page
      },
    }
    const sums = await moveDatabase(counting, target, withoutProgress)
    const rowsRead = [...pages].filter(([, rows]) => rows > 0)
    // The new row of `change`; the two settings until the difference is found, when it is corrected and once more at the end.
    expect(rowsRead.toSorted()).toEqual([
      ['change', 1],
      ['setting', 6],
    ])
    for (const table of ['change', 'setting']) {
      const content = await Promise.all([source, target].map(async (side) => (await contentOf(side)).get(table)))
      expect(content[1]).toEqual(content[0] ?? [])
      expect(sums.find((sum) => sum.table === table)?.rows).toBe(content[0]?.length ?? 0)
    }
    await expect(put('late')).rejects.toThrow('moved')
    await source.reopenForWrites()
    await put('late')
    await source.close()
    await target.close()
    await db.close()
  })

  test('rows that change during the copy and the verification are equal on both sides at the end', async () => {
    const url = await postgres.createDatabase()
    await (await openDatabase({ url, dataDir: folder })).close()
    const dataDir = join(folder, 'source')
    const db = await openDatabase({ url: '', dataDir })
    const put = (name: string, value: string) =>
      db.transaction((tx) => db.insertMany(tx, 'setting', [{ name, value }], { conflictColumns: ['name'] }))
    const drop = (name: string) => db.transaction((tx) => tx.deleteFrom('setting').where('name', '=', name).execute())
    for (let at = 0; at < 50; at++) await put(`setting-${at}`, 'before')
    const source = openSqliteEndpoint(sqlitePath(dataDir))
    const target = await openPostgresEndpoint(url)
    const phases: string[] = []
    let writing: Promise<unknown> = Promise.resolve()
    const options = {
      ...withoutProgress,
      onProgress(phase: string, table: string) {
        phases.push(phase)
        // Once between the copy and the first comparison, once between the comparison and the lock.
        if (phase === 'verify' && table === 'change' && !phases.includes('writers wait')) {
          writing = Promise.all([put('setting-1', 'while verifying'), drop('setting-2'), put('added', 'late')])
        }
      },
    }
    const reading: MoveEndpoint = {
      ...source,
      async lockWrites() {
        await writing
        await put('setting-3', 'just before the lock')
        await drop('setting-4')
        await put('added last', 'late')
        await source.lockWrites()
      },
    }
    await moveDatabase(reading, target, options)
    expect(phases.indexOf('verify')).toBeLessThan(phases.indexOf('writers wait'))
    const [here, there] = [await contentOf(source), await contentOf(target)]
    expect([...there.keys()].sort()).toEqual([...here.keys()].sort())
    for (const [table, rows] of here) expect({ table, rows: there.get(table) }).toEqual({ table, rows })
    const settings = there.get('setting') ?? []
    expect(settings.join('\n')).toContain('just before the lock')
    expect(settings.join('\n')).not.toContain('setting-4"')
    await source.close()
    await target.close()
    await db.close()
  })
}
