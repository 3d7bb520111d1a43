import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import pg from 'pg'
import { startPostgres } from '../support/postgres.ts'
import { newDataDir, runProgram, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()
/** The advisory lock of migrations. */
const MIGRATION_LOCK = 7_310_042

if (postgres) {
  test('of two servers that start on an empty, slow database, the second waits for the first and both serve', async () => {
    const folder = newDataDir()
    const settings = { DATABASE_URL: await postgres.createDatabase(), DATA_DIR: folder }
    expect((await runProgram(['org', 'create', 'Shop'], settings)).code).toBe(0)
    const client = new pg.Client({ connectionString: settings.DATABASE_URL })
    await client.connect()
    // Every statement that inserts devices is slow, but none reaches the time limit.
    await client.query(`create function slow() returns trigger language plpgsql as
      'begin perform pg_sleep(0.1); return null; end'`)
    await client.query('create trigger slow before insert on device for each statement execute function slow()')
    await client.end()
    const programs = await Promise.all([startProgram(settings), startProgram(settings)])
    const waited = programs.filter((program) =>
      program.stderr().includes('waiting for another process to load the bundled catalogue'),
    )
    expect(waited).toHaveLength(1)
    for (const program of programs) {
      expect((await fetch(`${program.url}/readyz`)).status).toBe(200)
      expect(await program.stop()).toBe(0)
    }
    rmSync(folder, { recursive: true, force: true })
  })

  test('a server that starts while another process migrates logs that and waits until it is done', async () => {
    const folder = newDataDir()
    const settings = { DATABASE_URL: await postgres.createDatabase(), DATA_DIR: folder }
    const client = new pg.Client({ connectionString: settings.DATABASE_URL })
    await client.connect()
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    const starting = startProgram(settings)
    // Outside of the transaction, which would only see the activity at its first query.
    const observer = new pg.Client({ connectionString: settings.DATABASE_URL })
    await observer.connect()
    await waitUntil(
      async () => {
        const { rows } = await observer.query(
          `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
            and wait_event_type = 'Lock' and wait_event = 'advisory' and clock_timestamp() - query_start > interval '2.2 seconds'`,
        )
        return rows.length > 0
      },
      { describe: 'the server to have waited for longer than a request may take' },
    )
    await client.query('commit')
    await client.end()
    await observer.end()
    const program = await starting
    expect(program.stderr()).toContain('waiting for another process to finish migrations')
    const code = await program.stop()
    const errors = program.stderr().match(/.*"level":"error".*/g)
    expect({ code, errors }).toEqual({ code: 0, errors: null })
    rmSync(folder, { recursive: true, force: true })
  })
}
