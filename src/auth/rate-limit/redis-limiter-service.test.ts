import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { RedisClient } from 'bun'
import { NO_REDIS, startRedis, type TestRedis } from '../../../test/support/redis.ts'
import { waitUntil } from '../../../test/support/wait.ts'
import type { RateLimitDecision } from '../../http/admission.ts'
import { memoryLimiter } from './memory-limiter-service.ts'
import { parseRedisAddress, type RedisAddress } from './redis-address.ts'
import { type RedisLimiter, redisLimiter } from './redis-limiter-service.ts'

/** Only a hanging Redis reaches the first; the second is how long the tests wait for one that hangs. */
const NEVER_MS = 30_000
const SHORT_MS = 400
/** Between two attempts to reach Redis. */
const RESTORE_EVERY_MS = 250

const redis = await startRedis()
if (!redis) process.stderr.write(`${NO_REDIS}\n`)

describe.skipIf(!redis)('limits shared through a real Redis', () => {
  const server = redis as TestRedis
  const opened: RedisLimiter[] = []
  const logged: string[] = []
  let names = 0

  async function open({ url = server.url, timeoutMs = NEVER_MS } = {}): Promise<RedisLimiter> {
    const warn = (message: string, facts: object) => logged.push(`${message} ${JSON.stringify(facts)}`)
    const limiter = redisLimiter({
      address: parseRedisAddress(url) as RedisAddress,
      local: memoryLimiter(),
      warn,
      timeoutMs,
    })
    opened.push(limiter)
    await limiter.firstAttempt
    return limiter
  }
  const take = (limiter: RedisLimiter, key: string, limit = 50, cost = 1): Promise<RateLimitDecision> =>
    Promise.resolve(limiter.take(key, limit, cost, Date.now()))
  const newKey = () => `key_${++names}`
  const isSharedAgain = (...limiters: RedisLimiter[]) =>
    waitUntil(() => limiters.every((limiter) => limiter.isConnected()), { describe: 'Redis to be used again' })

  /** Waits until Redis has failed that many times. */
  async function triedInVain(times: number): Promise<void> {
    const timers = spyOn(globalThis, 'setTimeout')
    const tries = () => timers.mock.calls.filter(([, ms]) => ms === RESTORE_EVERY_MS).length
    try {
      await waitUntil(() => tries() >= times, { describe: `${times} attempts to reach Redis` })
    } finally {
      timers.mockRestore()
    }
  }

  beforeAll(() => server.thaw())
  afterEach(() => {
    for (const limiter of opened.splice(0)) limiter.close()
    logged.length = 0
  })
  afterAll(() => server.stop())

  test('three processes together pass exactly the limit, at ten times the load', async () => {
    const limiters = await Promise.all([open(), open(), open()])
    for (const limit of [60, 300, 1200]) {
      const key = newKey()
      const pendingDecisions: Promise<RateLimitDecision>[] = []
      for (let sent = 0; sent < limit * 10; sent++) {
        pendingDecisions.push(take(limiters[sent % 3]!, key, limit))
        if (sent % 100 === 99) await pendingDecisions.at(-1)
      }
      const granted = (await Promise.all(pendingDecisions)).filter(({ allowed }) => allowed).length
      expect(granted).toBe(limit)
    }
    expect(limiters.every((limiter) => limiter.isConnected())).toBe(true)
  })

  test('decisions contain the remaining requests, the reset time and the wait', async () => {
    const [one, two] = [await open(), await open()]
    const key = newKey()
    const before = Date.now() / 1000
    expect(await take(one, key, 3)).toMatchObject({ allowed: true, limit: 3, remaining: 2, retryAfterSeconds: 0 })
    expect(await take(two, key, 3, 2)).toMatchObject({ allowed: true, remaining: 0 })
    const rejected = await take(one, key, 3)
    const after = Date.now() / 1000
    expect(rejected).toMatchObject({ allowed: false, remaining: 0 })
    expect(rejected.retryAfterSeconds).toBeGreaterThanOrEqual(60 - (after - before))
    expect(rejected.retryAfterSeconds).toBeLessThanOrEqual(60)
    expect(rejected.resetAtEpochSeconds).toBeGreaterThanOrEqual(before + 58)
    expect(rejected.resetAtEpochSeconds).toBeLessThanOrEqual(after + 62)
  })

  test('a cost above the limit counts as the whole limit, and a limit of zero rejects', async () => {
    const limiter = await open()
    expect(await take(limiter, newKey(), 5, 9)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await take(limiter, newKey(), 0)).toMatchObject({ allowed: false })
  })

  test('spent requests become available after a minute, and Redis deletes an idle key', async () => {
    const limiter = await open()
    const plain = new RedisClient(server.url)
    const key = newKey()
    const name = `device-intelligence:rate:${key}`
    await take(limiter, key, 2, 2)
    expect((await take(limiter, key, 2)).allowed).toBe(false)
    expect(Number(await plain.send('PTTL', [name]))).toBeLessThanOrEqual(61_000)
    // Ages the slot by a minute instead of waiting.
    const [first] = String(await plain.send('HGET', [name, '1'])).split(' ')
    const age = async (ms: number) => plain.send('HSET', [name, '1', `${Number(first) - ms} ${Number(first) - ms} 2`])
    await age(58_000)
    const early = await take(limiter, key, 2)
    expect(early.allowed).toBe(false)
    expect(early.retryAfterSeconds).toBeLessThanOrEqual(2)
    await age(60_000)
    expect(await take(limiter, key, 2)).toMatchObject({ allowed: true, remaining: 1 })
    plain.close()
  })

  test('a clock set back neither locks a client out nor gives a second quota', async () => {
    const limiter = await open()
    const plain = new RedisClient(server.url)
    const key = newKey()
    const name = `device-intelligence:rate:${key}`
    await take(limiter, key, 2, 2)
    const ahead = Date.now() + 3_600_000
    await plain.send('HSET', [name, '1', `${ahead} ${ahead} 2`])
    expect(await take(limiter, key, 2)).toMatchObject({ allowed: false, retryAfterSeconds: 60 })
    plain.close()
  })

  test('Redis holds key ids, counts and ids of processes, nothing else', async () => {
    const limiter = await open()
    await take(limiter, newKey())
    const plain = new RedisClient(server.url)
    for (const name of (await plain.send('KEYS', ['*'])) as string[]) {
      expect(name).toMatch(/^device-intelligence:(rate:key_\d+|processes)$/)
    }
    plain.close()
  })

  test('a Redis that was never reachable costs nothing and is logged once', async () => {
    const limiter = await open({ url: 'redis://127.0.0.1:1' })
    expect(limiter.isConnected()).toBe(false)
    const key = newKey()
    for (let sent = 0; sent < 5; sent++) expect((await take(limiter, key, 5)).allowed).toBe(true)
    expect((await take(limiter, key, 5)).allowed).toBe(false)
    await triedInVain(2)
    expect(logged.length).toBe(1)
  })

  test('Redis killed: the local limit continues from the spent count, and Redis is used again after a restart', async () => {
    const limiter = await open()
    const key = newKey()
    for (let sent = 0; sent < 30; sent++) await take(limiter, key, 50)
    await server.kill()
    let granted = 0
    for (let sent = 0; sent < 100; sent++) if ((await take(limiter, key, 50)).allowed) granted++
    expect(granted).toBe(20)
    expect(limiter.isConnected()).toBe(false)
    expect(logged.length).toBe(1)
    await server.start()
    await isSharedAgain(limiter)
    // The restarted Redis has lost the script.
    expect(await take(limiter, newKey(), 50)).toMatchObject({ allowed: true, remaining: 49 })
    expect(limiter.isConnected()).toBe(true)
  })

  test('Redis hanging: each process continues from the shared count, so a key gets no quota per process', async () => {
    const limiters = await Promise.all([1, 2, 3].map(() => open({ timeoutMs: SHORT_MS })))
    const key = newKey()
    for (let sent = 0; sent < 60; sent++) await take(limiters[sent % 3]!, key, 60)
    // Each process has received the last count.
    for (const limiter of limiters) expect((await take(limiter, key, 60)).allowed).toBe(false)
    server.freeze()
    let granted = 0
    try {
      for (let sent = 0; sent < 60; sent++) if ((await take(limiters[sent % 3]!, key, 60)).allowed) granted++
    } finally {
      server.thaw()
    }
    expect(granted).toBe(0)
    await isSharedAgain(...limiters)
  })

  test('Redis hanging in a burst: all processes together allow at most the limit of a new key', async () => {
    const limiters = await Promise.all([1, 2, 3].map(() => open({ timeoutMs: SHORT_MS })))
    await waitUntil(() => limiters.every((limiter) => limiter.processes() === 3), { describe: 'heartbeats of all' })
    const key = newKey()
    server.freeze()
    const decisions: RateLimitDecision[] = []
    try {
      decisions.push(
        ...(await Promise.all(Array.from({ length: 900 }, (_, sent) => take(limiters[sent % 3]!, key, 300)))),
      )
    } finally {
      server.thaw()
    }
    const granted = decisions.filter(({ allowed }) => allowed).length
    expect(granted).toBeLessThanOrEqual(300)
    expect(granted).toBeGreaterThanOrEqual(290)
    expect(decisions.every(({ limit }) => limit === 300)).toBe(true)
  })

  test('Redis hanging: one short wait, then none; no rejection; one log line; used again when it responds', async () => {
    const limiter = await open({ timeoutMs: SHORT_MS })
    const key = newKey()
    const ask = () => limiter.take(key, 1000, 1, Date.now())
    await ask()
    server.freeze()
    try {
      const first = ask()
      expect(first).toBeInstanceOf(Promise)
      expect((await first).allowed).toBe(true)
      const decideAtOnce = () => {
        for (let sent = 0; sent < 100; sent++) {
          const decided = ask()
          expect(decided).not.toBeInstanceOf(Promise)
          expect(decided).toMatchObject({ allowed: true })
        }
      }
      decideAtOnce()
      await triedInVain(2)
      decideAtOnce()
    } finally {
      server.thaw()
    }
    expect(logged).toHaveLength(1)
    expect(logged[0]).not.toContain(String(server.port))
    await isSharedAgain(limiter)
    expect((await take(limiter, newKey())).allowed).toBe(true)
  })
})
