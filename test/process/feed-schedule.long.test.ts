import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { openDatabase } from '../../src/db/database.ts'
import { feedStore } from '../../src/import/feeds/feed-store.ts'
import { HOUR_MS } from '../../src/lib/time.ts'
import { onBothDatabases } from '../support/databases.ts'
import { freePort } from '../support/postgres.ts'
import { filledDataDir, PROGRAM, runProgram, startProgram } from '../support/program.ts'
import { secretKeyFor } from '../support/secret-key.ts'
import { storeFeeds } from '../support/stored-entries.ts'
import { waitUntil } from '../support/wait.ts'

type Environment = Record<string, string>

const HEADER = 'IMEI,reporting_date,status\n'
const imei = (at: number) => `35${String(at).padStart(12, '0')}`
const LIST = HEADER + [1, 2, 3].map((at) => `${imei(at)},,\n`).join('')

/** The server of the list: reports each request and responds when the test allows it. */
function listServer() {
  let requestCount = 0
  let gate: Promise<void> = Promise.resolve()
  let status = 200
  const server = Bun.serve({
    port: 0,
    idleTimeout: 60,
    async fetch() {
      requestCount++
      await gate
      return new Response(LIST, { status })
    },
  })
  listServers.push({ stop: () => server.stop(true) })
  return {
    url: `http://127.0.0.1:${server.port}/stolen.csv`,
    requestCount: () => requestCount,
    answer: (next: number) => {
      status = next
    },
    /** Holds all responses until the returned function is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
  }
}

/** A service whose one feed is this. */
const storeFeed = (environment: Environment, feed: Record<string, unknown>) =>
  storeFeeds({ url: environment.DATABASE_URL ?? '', dataDir: environment.DATA_DIR ?? '' }, [
    { name: 'stolen', format: 'lists', retries: 0, ...feed },
  ])

const EVERY_SECOND = '* * * * * *'
/** Cron expression of a time of day that passed an hour ago. */
function anHourAgo(): string {
  const at = new Date(Date.now() - HOUR_MS)
  return `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`
}

const until = <T>(describe: string, look: () => T | Promise<T>) => waitUntil(look, { describe })

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number)

async function status(environment: Environment) {
  return JSON.parse((await runProgram(['status', '--json'], environment)).stdout) as {
    imports: { state: string; counts: Record<string, number> }[]
    feeds: { outcome: string; failure: string | null; failures: number; next_run_at: string }[]
  }
}

const listServers: { stop(): void }[] = []
afterAll(() => {
  for (const each of listServers) each.stop()
})

onBothDatabases((store) => {
  async function newStore(): Promise<Environment> {
    const { url, dataDir } = await store.open()
    return { DATA_DIR: dataDir, DATABASE_URL: url, SAMPLE_DATA: 'off', LOG_LEVEL: 'info' }
  }

  test.concurrent('two services on one database run a due feed once', async () => {
    const other = listServer()
    const environment = await newStore()
    await storeFeed(environment, { url: other.url, schedule: anHourAgo() })
    const before = other.requestCount()
    // Registered two hours ago: the missed run is due when they start.
    const db = await openDatabase({ url: environment.DATABASE_URL ?? '', dataDir: environment.DATA_DIR ?? '' })
    await feedStore(db).register(['stolen'], Date.now() - 2 * HOUR_MS)
    await db.close()
    const services = await Promise.all([startProgram(environment), startProgram(environment)])
    await until('the feed is imported', async () => (await status(environment)).feeds[0]?.outcome === 'imported')
    for (const service of services) expect(await service.stop()).toBe(0)
    expect(other.requestCount()).toBe(before + 1)
    const { imports, feeds } = await status(environment)
    expect(imports).toMatchObject([{ state: 'done', counts: { rows: 3, entries: 3 } }])
    expect(feeds).toMatchObject([{ failures: 0 }])
    const logs = services.map(({ stderr }) => stderr().match(/"message":"feed run"/g)?.length ?? 0)
    expect(logs.sort()).toEqual([0, 1])
  })

  test('of processes that queue a due feed at once one succeeds, and a run without an end counts as a failure', async () => {
    const opening = await store.openEmpty()
    const db = await openDatabase(opening)
    const another = await openDatabase(opening)
    const [one, two] = [feedStore(db), feedStore(another)]
    await Promise.all([one.register(['stolen'], 1_000), two.register(['stolen'], 1_001)])
    const seen = (await one.states()).get('stolen')
    if (!seen) throw new Error('the feed is not there')
    const feed = { name: 'stolen', format: 'lists' }
    await Promise.all([one, two, one, two].map((each) => each.enqueueScheduled(feed, seen, 5_000)))
    await one.enqueue(feed, 6_000)
    expect(await db.query.selectFrom('job').select(['kind', 'subject', 'state']).execute()).toEqual([
      { kind: 'feed', subject: 'stolen', state: 'queued' },
    ])
    expect((await two.states()).get('stolen')).toMatchObject({ scheduledAt: 5_000, startedAt: null })

    // A run without an end was interrupted; the next run to start counts it.
    await one.begin('stolen', 6_000)
    await two.begin('stolen', 7_000)
    expect((await one.states()).get('stolen')).toMatchObject({
      failures: 1,
      failure: { reason_code: 'import_interrupted' },
      failedAt: 6_000,
    })
    await db.close()
    await another.close()
  })

  test('an import that is killed announces nothing, and the next run starts over', async () => {
    const settings = await newStore()
    const rows = 50_000
    const list = HEADER + Array.from({ length: rows }, (_, at) => `${imei(at)},,\n`).join('')
    await using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(list) })
    await storeFeed(settings, { url: `http://127.0.0.1:${server.port}/stolen.csv` })
    const db = await openDatabase({ url: settings.DATABASE_URL ?? '', dataDir: settings.DATA_DIR ?? '' })
    const child = Bun.spawn([PROGRAM, 'import', 'feed', 'stolen'], {
      env: { PATH: process.env.PATH ?? '', HOME: '/', SECRET_KEY: secretKeyFor(settings.DATABASE_URL), ...settings },
      stdout: 'ignore',
      stderr: 'ignore',
    })
    await until('rows are written', () => db.query.selectFrom('listed_identifier').select('key14').executeTakeFirst())
    child.kill('SIGKILL')
    await child.exited
    expect(await db.query.selectFrom('identifier_list').selectAll().execute()).toEqual([])
    expect(await db.query.selectFrom('change').selectAll().where('topic', '=', 'lists').execute()).toEqual([])
    expect((await status(settings)).feeds).toMatchObject([{ outcome: 'unfinished' }])

    const again = await runProgram(['import', 'feed', 'stolen', '--json'], settings)
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'imported', rows, entries: rows })
    const { feeds, imports } = await status(settings)
    expect(feeds).toMatchObject([
      { outcome: 'imported', failures: 1, failure: expect.stringContaining('Interrupted: the process ended') },
    ])
    expect(imports.map(({ state }) => state)).toEqual(['done', 'unfinished'])
    await db.close()
  })
})

describe('a service with a feed', () => {
  test.concurrent('runs it on schedule, shows the result and reports failures', async () => {
    const other = listServer()
    const metricsPort = await freePort()
    const environment = { DATA_DIR: filledDataDir('small'), SAMPLE_DATA: 'off', METRICS_PORT: String(metricsPort) }
    await storeFeed(environment, { url: other.url, schedule: EVERY_SECOND })
    const service = await startProgram(environment)
    const before = other.requestCount()
    await until('it ran twice', () => other.requestCount() >= before + 2)
    other.answer(500)
    const metric = async (name: string) => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      return Number(new RegExp(`^${name}\\{feed="stolen"\\} (\\S+)$`, 'm').exec(text)?.[1])
    }
    await until('a failure is counted', async () => (await metric('feed_failures_total')) >= 1)
    expect(await metric('feed_success_age_seconds')).toBeGreaterThan(0)
    const warned = await until('the log says so', () => /^.*"message":"feed failed".*$/m.exec(service.stderr())?.[0])
    expect(JSON.parse(warned)).toMatchObject({
      level: 'warn',
      feed: 'stolen',
      cause: 'The feed stolen responded with status 500.',
    })
    other.answer(200)
    expect(await service.stop()).toBe(0)
  })

  test.concurrent('that is killed during the run starts it again', async () => {
    const other = listServer()
    const environment = { DATA_DIR: filledDataDir('small'), SAMPLE_DATA: 'off' }
    await storeFeed(environment, { url: other.url, schedule: EVERY_SECOND })
    const release = other.hold()
    const before = other.requestCount()
    const first = await startProgram(environment)
    await until('it is requested', () => other.requestCount() > before)
    const children = childrenOf(first.pid)
    expect(children).toHaveLength(1)
    first.kill('SIGKILL')
    for (const child of children) process.kill(child, 'SIGKILL')
    await first.exited
    expect(await status(environment)).toMatchObject({ imports: [], feeds: [{ outcome: 'unfinished' }] })
    release()
    const second = await startProgram(environment)
    await until('it is imported', async () => (await status(environment)).imports[0]?.state === 'done')
    expect((await status(environment)).feeds).toMatchObject([
      { failures: 1, failure: expect.stringContaining('Interrupted: the process ended') },
    ])
    expect(await second.stop()).toBe(0)
  })

  test.concurrent('that is stopped stops the run too, which is not a failure', async () => {
    const other = listServer()
    const environment = { DATA_DIR: filledDataDir('small'), SAMPLE_DATA: 'off' }
    await storeFeed(environment, { url: other.url, schedule: EVERY_SECOND })
    const release = other.hold()
    const before = other.requestCount()
    const service = await startProgram(environment)
    await until('it is requested', () => other.requestCount() > before)
    const children = childrenOf(service.pid)
    expect(await service.stop()).toBe(0)
    for (const child of children) expect(() => process.kill(child, 0)).toThrow('ESRCH')
    release()
    expect(await status(environment)).toMatchObject({ imports: [], feeds: [{ outcome: 'stopped', failures: 0 }] })
  })
})
