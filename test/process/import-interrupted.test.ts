import { expect, test } from 'bun:test'
import { openDatabase } from '../../src/db/database.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { PROGRAM, startProgram } from '../support/program.ts'
import { secretKeyFor } from '../support/secret-key.ts'
import { storeFeeds } from '../support/stored-entries.ts'
import { waitUntil } from '../support/wait.ts'

const HEADER = 'source,side,make,model,storage,condition,amount,currency,date,listing_id\n'
/** Twice what the importer collects before it writes. */
const ROWS = 50_000

onDatabaseOfSuite((store) => {
  test('the prices of an import that was killed are removed by the next start, and the import is recorded as failed', async () => {
    const opening = await store.open()
    const environment = { DATA_DIR: opening.dataDir, DATABASE_URL: opening.url, SAMPLE_DATA: 'off' }
    const child = Bun.spawn([PROGRAM, 'import', 'observations', '-'], {
      env: { PATH: process.env.PATH ?? '', HOME: '/', ...environment },
      stdin: 'pipe',
      stdout: 'ignore',
      stderr: 'ignore',
    })
    child.stdin.write(HEADER)
    for (let at = 0; at < ROWS; at++) {
      child.stdin.write(`shop,sold,Apple,iPhone 13,128GB,Good,${300 + (at % 90)},USD,2026-07-0${1 + (at % 9)},l${at}\n`)
    }
    await child.stdin.flush()
    const db = await openDatabase(opening)
    try {
      const prices = async () =>
        Number(
          (
            await db.query
              .selectFrom('observation')
              .select(({ fn }) => fn.countAll().as('count'))
              .executeTakeFirst()
          )?.count ?? 0,
        )
      const run = () => db.query.selectFrom('job').select(['state', 'result']).executeTakeFirst()
      // Its input is open, so it cannot have ended.
      await waitUntil(async () => (await prices()) > 0, { describe: 'the first prices' })
      child.kill('SIGKILL')
      await child.exited
      expect(await run()).toMatchObject({ state: 'running' })

      const program = await startProgram(environment)
      await waitUntil(async () => (await run())?.state === 'failed', { describe: 'the end of the import' })
      await waitUntil(async () => (await prices()) === 0, { describe: 'the removal of its prices' })
      expect(JSON.parse((await run())?.result ?? '{}').failed.message).toStartWith('Interrupted')
      expect(await program.stop()).toBe(0)
    } finally {
      await db.close()
    }
  }, 240_000)

  test('the run of a feed that was killed while it was fetched is recorded as failed by the next start', async () => {
    const opening = await store.open()
    const fetched = Promise.withResolvers<void>()
    await using server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      idleTimeout: 0,
      fetch() {
        fetched.resolve()
        return new Promise<Response>(() => {})
      },
    })
    const url = `http://127.0.0.1:${server.port}/stolen.csv`
    await storeFeeds(opening, [{ name: 'stolen', format: 'lists', url }])
    const environment = {
      DATA_DIR: opening.dataDir,
      DATABASE_URL: opening.url,
      SAMPLE_DATA: 'off',
      SECRET_KEY: secretKeyFor(opening.url),
    }
    const child = Bun.spawn([PROGRAM, 'import', 'feed', 'stolen'], {
      env: { PATH: process.env.PATH ?? '', HOME: '/', ...environment },
      stdout: 'ignore',
      stderr: 'ignore',
    })
    await fetched.promise
    child.kill('SIGKILL')
    await child.exited
    const db = await openDatabase(opening)
    const run = () => db.query.selectFrom('job').select(['state', 'result']).executeTakeFirst()
    expect(await run()).toMatchObject({ state: 'running' })

    const program = await startProgram(environment)
    await waitUntil(async () => (await run())?.state === 'failed', { describe: 'the end of the run' })
    expect(JSON.parse((await run())?.result ?? '{}').failed.message).toStartWith('Interrupted')
    expect(await program.stop()).toBe(0)
    await db.close()
  }, 240_000)
})
