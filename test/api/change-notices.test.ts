import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { startPostgres } from '../support/postgres.ts'
import { waitUntil } from '../support/wait.ts'

const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()
/** So long that no poll happens during a test: all changes are seen through database notifications. */
const NEVER_MS = 600_000

if (postgres) {
  const dataDir = mkdtempSync(join(tmpdir(), 'di-test-'))
  const opened: Database[] = []
  const clients: pg.Client[] = []
  afterAll(async () => {
    for (const db of opened) await db.close()
    for (const client of clients) await client.end()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function connect(connectionString: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString })
    clients.push(client)
    await client.connect()
    return client
  }

  async function openServer(url: string, lookEveryMs: number): Promise<Database> {
    const db = await openDatabase({ url, dataDir, workload: 'server', pollIntervalMs: lookEveryMs })
    opened.push(db)
    return db
  }

  /** Process ids of the listening connections, from the database. */
  async function listening(client: pg.Client): Promise<number[]> {
    const { rows } = await client.query<{ pid: number }>(`select pid from pg_stat_activity
      where datname = current_database() and application_name = 'device-intelligence notifications' and query like 'listen%'`)
    return rows.map(({ pid }) => pid)
  }

  test('a change by one server is announced to another without polling', async () => {
    const url = await postgres.createDatabase()
    const client = await connect(url)
    const [writing, reading] = [await openServer(url, NEVER_MS), await openServer(url, NEVER_MS)]
    await waitUntil(async () => (await listening(client)).length === 2, { describe: 'two listening connections' })
    let notifications = 0
    reading.onChange('access', () => notifications++)
    await writing.transaction((tx) => writing.announceChange(tx, 'access'))
    await waitUntil(() => notifications === 1, { describe: 'the first change' })

    // A failed transaction announces nothing.
    await writing
      .transaction(async (tx) => {
        await writing.announceChange(tx, 'access')
        throw new Error('undone')
      })
      .catch(() => {})
    await writing.transaction((tx) => writing.announceChange(tx, 'access'))
    await waitUntil(() => notifications >= 2, { describe: 'the second change' })
    expect(notifications).toBe(2)
  })

  test('a server whose listening connection was cut still sees changes by polling', async () => {
    const url = await postgres.createDatabase()
    const client = await connect(url)
    const [writing, reading] = [await openServer(url, NEVER_MS), await openServer(url, 100)]
    await waitUntil(async () => (await listening(client)).length === 2, { describe: 'two listening connections' })
    let notifications = 0
    reading.onChange('access', () => notifications++)
    for (const pid of await listening(client)) await client.query('select pg_terminate_backend($1)', [pid])
    await waitUntil(async () => (await listening(client)).length === 0, { describe: 'no listening connection' })
    await writing.transaction((tx) => writing.announceChange(tx, 'access'))
    await waitUntil(() => notifications === 1, { describe: 'the change' })
  })
}
