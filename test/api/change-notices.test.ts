import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/db/open.ts'
import { startPostgres } from '../support/postgres.ts'

const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()
/** So long that no look at the counters comes while a test runs: what is heard was told by the database. */
const NEVER_MS = 600_000
const WELL_WITHIN_MS = 5_000

if (postgres) {
  const dataDir = mkdtempSync(join(tmpdir(), 'di-test-'))
  const opened: Database[] = []
  afterAll(async () => {
    for (const db of opened) await db.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function openServer(url: string, lookEveryMs: number): Promise<Database> {
    const db = await openDatabase({ url, dataDir, patience: 'server', lookEveryMs })
    opened.push(db)
    return db
  }

  async function until(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
    for (const from = performance.now(); performance.now() - from < WELL_WITHIN_MS; await Bun.sleep(10)) {
      if (await isSo()) return true
    }
    return false
  }

  /** What there is of connections that listen, as the database sees them. */
  async function listening(client: pg.Client): Promise<number[]> {
    const { rows } = await client.query<{ pid: number }>(`select pid from pg_stat_activity
      where datname = current_database() and application_name = 'device-intelligence notices' and query like 'listen%'`)
    return rows.map(({ pid }) => pid)
  }

  test('a change that one server makes is told to another at once, however seldom that looks for itself', async () => {
    const url = await postgres.createDatabase()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const [writing, reading] = [await openServer(url, NEVER_MS), await openServer(url, NEVER_MS)]
    expect(await until(async () => (await listening(client)).length === 2)).toBe(true)
    let heard = 0
    reading.onChange('access', () => heard++)
    await writing.transaction((tx) => writing.announce(tx, 'access'))
    expect(await until(() => heard === 1)).toBe(true)

    // A transaction that fails told nobody.
    await writing
      .transaction(async (tx) => {
        await writing.announce(tx, 'access')
        throw new Error('undone')
      })
      .catch(() => {})
    await writing.transaction((tx) => writing.announce(tx, 'access'))
    expect(await until(() => heard === 2)).toBe(true)
    await client.end()
  })

  test('a server whose listening connection was cut still sees changes, by looking for itself', async () => {
    const url = await postgres.createDatabase()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const [writing, reading] = [await openServer(url, NEVER_MS), await openServer(url, 100)]
    expect(await until(async () => (await listening(client)).length === 2)).toBe(true)
    let heard = 0
    reading.onChange('access', () => heard++)
    for (const pid of await listening(client)) await client.query('select pg_terminate_backend($1)', [pid])
    expect(await until(async () => (await listening(client)).length === 0)).toBe(true)
    await writing.transaction((tx) => writing.announce(tx, 'access'))
    expect(await until(() => heard === 1)).toBe(true)
    await client.end()
  })
}
