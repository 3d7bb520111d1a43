import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { fill } from '../support/filled-database.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { newDataDir, type RunningProgram, shownKeys, startProgram } from '../support/program.ts'
import { startService } from '../support/service.ts'
import { spreadOf } from '../support/spread.ts'
import { waitUntil } from '../support/wait.ts'

/** `DOWN_SECONDS=60` keeps the database down that long and measures the times. Reads end after 90 s; a test below covers that. */
const DOWN_SECONDS = Number(process.env.DOWN_SECONDS ?? 0)
const MIN_REJECTIONS = 30
const MIN_READS = 10
/** Only a hang takes this long. */
const HANG_MS = 30_000

const postgres = await startPostgres('own')
if (!postgres?.faults) console.warn('No PostgreSQL of our own here: tests that take it away are left out.')

describe.skipIf(!postgres?.faults)('PostgreSQL', () => {
  const faults = postgres?.faults as NonNullable<TestPostgres['faults']>
  let program: RunningProgram
  let keys: ReturnType<typeof shownKeys>
  beforeAll(async () => {
    const [url, dataDir] = [await (postgres as TestPostgres).createDatabase(), newDataDir()]
    await fill({ url, dataDir }, 'small')
    program = await startProgram({
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      RATE_LIMIT_PUBLIC: '1000000',
      RATE_LIMIT_ENTERPRISE: '1000000',
    })
    keys = shownKeys(program.stderr())
  })
  afterAll(async () => {
    await program.stop()
    await (postgres as TestPostgres).stop()
  })

  type Seen = { status: number; code: string | undefined; retryAfter: string | null; tookMs: number }
  async function ask(path: string, key: string, json?: unknown): Promise<Seen> {
    const from = performance.now()
    const response = await fetch(program.url + path, {
      method: json === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: json === undefined ? undefined : JSON.stringify(json),
      signal: AbortSignal.timeout(HANG_MS),
    })
    const body = (await response.json()) as { error?: { code: string } }
    return {
      status: response.status,
      code: body.error?.code,
      retryAfter: response.headers.get('Retry-After'),
      tookMs: performance.now() - from,
    }
  }
  const lookup = () => ask('/api/imei', keys.enterprise, { identifier: '490154203237518' })
  const appraisal = () => ask('/api/appraisals', keys.enterprise, { variant_id: 'apple-iphone-13-128gb-midnight' })
  const neverMade = 'pk_pub_00000000000000000000000000000000'

  for (const [name, takeAway, giveBack] of [
    ['stopped', () => faults.halt(), () => faults.start()],
    ['hanging', async () => faults.freeze(), async () => faults.thaw()],
  ] as const) {
    test(
      `${name}: requests that need it are 503, nothing hangs, cached reads continue, and the service recovers`,
      async () => {
        expect((await lookup()).status).toBe(200)
        expect((await appraisal()).status).toBe(200)
        expect((await ask('/api/devices', keys.public)).status).toBe(200)
        await takeAway()
        const refusals: Seen[] = []
        const reads: Seen[] = []
        const until = performance.now() + DOWN_SECONDS * 1000
        await Promise.all([
          // Several at once, so that one waiting request cannot hide a queue behind it.
          ...Array.from({ length: 15 }, async () => {
            while (refusals.length < MIN_REJECTIONS || performance.now() < until) {
              refusals.push(await (refusals.length % 2 === 0 ? lookup() : appraisal()))
              await Bun.sleep(50)
            }
          }),
          (async () => {
            while (reads.length < MIN_READS || performance.now() < until) {
              for (const path of ['/api/devices?limit=5', '/api/variants?limit=5'])
                reads.push(await ask(path, keys.public))
              await Bun.sleep(50)
            }
          })(),
        ])
        const ready = await fetch(`${program.url}/readyz`)
        const alive = await fetch(`${program.url}/healthz`)
        await giveBack()
        const from = performance.now()
        await waitUntil(async () => (await lookup()).status === 200, { describe: 'the recovery' })
        const backAfter = performance.now() - from
        const refusedAfter = spreadOf(refusals.map(({ tookMs }) => tookMs))
        console.log(
          `${name} for ${DOWN_SECONDS} s: ${refusals.length} refusals after ${refusedAfter}; ${reads.length} reads; back after ${backAfter.toFixed(0)} ms`,
        )
        for (const refusal of refusals) {
          expect(refusal).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: expect.any(String) })
        }
        expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]))
        expect(alive.status).toBe(200)
        expect([ready.status, await ready.json()]).toEqual([200, { status: 'degraded' }])
      },
      240_000 + DOWN_SECONDS * 1000,
    )
  }

  test('stopped: a key that is not cached is 503, never 401, so that callers do not discard a valid key', async () => {
    const { generateKey: mintKey } = await import('../../src/auth/api-key.ts')
    await faults.halt()
    const unknown = await ask('/api/devices', mintKey('public'))
    const malformed = await ask('/api/devices', neverMade)
    await faults.start()
    expect(unknown).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect(malformed).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
  })

  test('read-only: the service reports degraded until writes work again', async () => {
    const client = new pg.Client({ connectionString: (postgres as TestPostgres).url })
    await client.connect()
    const setReadOnly = async (word: 'on' | 'off', readiness: string) => {
      await client.query(`alter system set default_transaction_read_only = ${word}`)
      await client.query('select pg_reload_conf()')
      await waitUntil(async () => (await (await fetch(`${program.url}/readyz`)).text()).includes(readiness), {
        describe: `readiness ${readiness}`,
      })
    }
    await setReadOnly('on', 'degraded')
    const rejected = await lookup()
    await client.query('set default_transaction_read_only = off')
    await setReadOnly('off', 'ready')
    await client.end()
    expect(rejected).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
  })

  test('stopped: reads end after the grace time, because revocations are no longer received, and resume later', async () => {
    const url = program.environment.DATABASE_URL ?? ''
    const dataDir = mkdtempSync(join(tmpdir(), 'di-grace-'))
    await using graceful = await startService({ url, dataDir }, {}, { revocationGraceMs: 2_000 })
    const read = async () => {
      const response = await fetch(`${graceful.url}/api/devices?limit=1`, {
        headers: { Authorization: `Bearer ${graceful.keys.public}` },
      })
      await response.arrayBuffer()
      return { status: response.status, retryAfter: response.headers.get('Retry-After') }
    }
    expect((await read()).status).toBe(200)
    await faults.halt()
    await waitUntil(async () => (await read()).status !== 200, { describe: 'reads to end' })
    expect(await read()).toEqual({ status: 503, retryAfter: '2' })
    expect((await fetch(`${graceful.url}/readyz`)).status).toBe(503)
    await faults.start()
    await waitUntil(async () => (await read()).status === 200, { describe: 'reads to begin again' })
  })
})
