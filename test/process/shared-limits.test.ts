import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { filledDataDir, type RunningProgram, runProgram, startProgram } from '../support/program.ts'
import { NO_REDIS, startRedis, type TestRedis } from '../support/redis.ts'

const LIMIT = 300

const started = await startRedis()
if (!started) console.warn(NO_REDIS)

describe.skipIf(!started)('three processes that share a Redis', () => {
  const redis = started as TestRedis
  const dataDir = filledDataDir()
  const settings = {
    DATA_DIR: dataDir,
    REDIS_URL: redis?.url ?? '',
    RATE_LIMIT_PUBLIC: String(LIMIT),
    SAMPLE_DATA: 'off',
  }
  const programs: RunningProgram[] = []
  let organization: string
  beforeAll(async () => {
    programs.push(await startProgram(settings))
    programs.push(...(await Promise.all([startProgram(settings), startProgram(settings)])))
    organization = (await runProgram(['org', 'create', 'Shared'], settings)).stdout.trim()
  }, 60_000)
  afterAll(async () => {
    redis.thaw()
    await Promise.all(programs.map((program) => program.stop()))
    await redis.stop()
  })

  async function newKey(): Promise<string> {
    const made = await runProgram(['key', 'create', '--org', organization, '--tier', 'public'], settings)
    return made.stdout.trim()
  }
  async function ask(at: number, key: string): Promise<{ status: number; tookMs: number }> {
    const from = performance.now()
    const url = `${programs[at % programs.length]?.url}/api/devices?limit=1`
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${key}` } })
    await answer.arrayBuffer()
    return { status: answer.status, tookMs: performance.now() - from }
  }
  const linesAbout = (what: string) => programs.map((program) => program.stderr().split(what).length - 1)

  test('let 98 to 102 % of the limit pass together, at ten times the load', async () => {
    const key = await newKey()
    const statuses: number[] = []
    let sent = 0
    await Promise.all(
      Array.from({ length: 24 }, async () => {
        while (sent < LIMIT * 10) statuses.push((await ask(sent++, key)).status)
      }),
    )
    const passed = statuses.filter((status) => status === 200).length
    console.log(`${passed} of ${statuses.length} passed at a limit of ${LIMIT}`)
    expect(passed).toBeGreaterThanOrEqual(LIMIT * 0.98)
    expect(passed).toBeLessThanOrEqual(LIMIT * 1.02)
    expect(statuses.filter((status) => status === 429).length).toBe(statuses.length - passed)
  }, 60_000)

  for (const [name, takeAway, giveBack] of [
    ['hangs', async () => redis.freeze(), async () => redis.thaw()],
    ['is killed', () => redis.kill(), () => redis.start()],
  ] as const) {
    test(`go on when it ${name}: no 5xx, no refusal, hardly a wait, a line per process`, async () => {
      const key = await newKey()
      for (let at = 0; at < 3; at++) expect((await ask(at, key)).status).toBe(200)
      const before = linesAbout('Redis cannot be reached')
      await takeAway()
      const answers = []
      for (let at = 0; at < 120; at++) {
        answers.push(await ask(at, key))
        await Bun.sleep(5)
      }
      const bad = await fetch(`${programs[0]?.url}/api/devices`, { headers: { Authorization: 'Bearer pk_pub_x' } })
      await giveBack()
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(bad.status).toBe(401)
      const waits = answers.map(({ tookMs }) => tookMs).sort((left, right) => left - right)
      expect(waits[Math.floor(waits.length / 2)]).toBeLessThan(25)
      const said = linesAbout('Redis cannot be reached').map((count, at) => count - (before[at] ?? 0))
      expect(Math.max(...said)).toBeLessThanOrEqual(1)
      await Bun.sleep(1_500)
    }, 60_000)
  }

  test('share one count again afterwards', async () => {
    const key = await newKey()
    const statuses: number[] = []
    for (let at = 0; at < LIMIT + 60; at++) statuses.push((await ask(at, key)).status)
    const passed = statuses.filter((status) => status === 200).length
    expect(passed).toBeGreaterThanOrEqual(LIMIT * 0.98)
    expect(passed).toBeLessThanOrEqual(LIMIT * 1.02)
  }, 60_000)
})
