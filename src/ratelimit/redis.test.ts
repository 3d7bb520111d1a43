import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { RedisClient } from 'bun'
import { NO_REDIS, startRedis, type TestRedis } from '../../test/support/redis.ts'
import type { Decision } from './limiter.ts'
import { memoryLimiter } from './memory.ts'
import { redisLimiter, type SharedLimiter } from './redis.ts'

const redis = await startRedis()
if (!redis) process.stderr.write(`${NO_REDIS}\n`)

describe.skipIf(!redis)('limits shared through a real Redis', () => {
  const server = redis as TestRedis
  const opened: SharedLimiter[] = []
  const said: string[] = []
  let names = 0

  async function open(url = server.url): Promise<SharedLimiter> {
    const warn = (message: string, facts: object) => said.push(`${message} ${JSON.stringify(facts)}`)
    const limiter = redisLimiter({ url, local: memoryLimiter(), warn, timeoutMs: 100 })
    opened.push(limiter)
    await limiter.tried
    return limiter
  }
  const take = (limiter: SharedLimiter, key: string, limit = 50, cost = 1): Promise<Decision> =>
    Promise.resolve(limiter.take(key, limit, cost, Date.now()))
  const newKey = () => `key_${++names}`
  async function until(holds: () => boolean | Promise<boolean>, withinMs: number): Promise<number> {
    const from = performance.now()
    while (!(await holds())) {
      if (performance.now() - from > withinMs) throw new Error(`did not come true within ${withinMs} ms`)
      await Bun.sleep(10)
    }
    return performance.now() - from
  }

  beforeAll(() => server.thaw())
  afterEach(() => {
    for (const limiter of opened.splice(0)) limiter.close()
    said.length = 0
  })
  afterAll(() => server.stop())

  test('three processes together pass exactly the limit, at ten times the load', async () => {
    const limiters = await Promise.all([open(), open(), open()])
    for (const limit of [60, 300, 1200]) {
      const key = newKey()
      const asked: Promise<Decision>[] = []
      for (let sent = 0; sent < limit * 10; sent++) {
        asked.push(take(limiters[sent % 3]!, key, limit))
        if (sent % 100 === 99) await asked.at(-1)
      }
      const granted = (await Promise.all(asked)).filter(({ allowed }) => allowed).length
      expect(granted).toBe(limit)
    }
    expect(limiters.every((limiter) => limiter.shared())).toBe(true)
  })

  test('the answers carry what is left, when it comes back and how long to wait', async () => {
    const [one, two] = [await open(), await open()]
    const key = newKey()
    expect(await take(one, key, 3)).toMatchObject({ allowed: true, limit: 3, remaining: 2, retryAfterSeconds: 0 })
    expect(await take(two, key, 3, 2)).toMatchObject({ allowed: true, remaining: 0 })
    const refused = await take(one, key, 3)
    expect(refused).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 60 })
    expect(Math.abs(refused.resetAtEpochSeconds - Date.now() / 1000 - 60)).toBeLessThan(2)
  })

  test('a cost above the limit counts as the whole limit, and a limit of nothing refuses', async () => {
    const limiter = await open()
    expect(await take(limiter, newKey(), 5, 9)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await take(limiter, newKey(), 0)).toMatchObject({ allowed: false })
  })

  test('what was spent comes back after a minute, and Redis forgets a quiet key', async () => {
    const limiter = await open()
    const plain = new RedisClient(server.url)
    const key = newKey()
    const name = `device-intelligence:rate:${key}`
    await take(limiter, key, 2, 2)
    expect((await take(limiter, key, 2)).allowed).toBe(false)
    expect(Number(await plain.send('PTTL', [name]))).toBeLessThanOrEqual(61_000)
    // A minute is put behind us by ageing the slot instead of waiting.
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

  test('a clock set back neither locks a caller out nor gives a second quota', async () => {
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

  test('Redis holds key ids and counts, nothing else', async () => {
    const limiter = await open()
    await take(limiter, newKey())
    const plain = new RedisClient(server.url)
    for (const name of (await plain.send('KEYS', ['*'])) as string[]) {
      expect(name).toMatch(/^device-intelligence:rate:key_\d+$/)
    }
    plain.close()
  })

  test('a Redis that was never there costs nothing and is mentioned once', async () => {
    const limiter = await open('redis://127.0.0.1:1')
    expect(limiter.shared()).toBe(false)
    const key = newKey()
    for (let sent = 0; sent < 5; sent++) expect((await take(limiter, key, 5)).allowed).toBe(true)
    expect((await take(limiter, key, 5)).allowed).toBe(false)
    await Bun.sleep(600)
    expect(said.length).toBe(1)
  })

  test('Redis killed: the local limit goes on from what was spent, and it is asked again after a restart', async () => {
    const limiter = await open()
    const key = newKey()
    for (let sent = 0; sent < 30; sent++) await take(limiter, key, 50)
    await server.kill()
    let granted = 0
    for (let sent = 0; sent < 100; sent++) if ((await take(limiter, key, 50)).allowed) granted++
    expect(granted).toBe(20)
    expect(limiter.shared()).toBe(false)
    expect(said.length).toBe(1)
    await server.start()
    await until(() => limiter.shared(), 5_000)
    // The restarted Redis does not know the script any more.
    expect(await take(limiter, newKey(), 50)).toMatchObject({ allowed: true, remaining: 49 })
    expect(limiter.shared()).toBe(true)
  })

  test('Redis hanging: each goes on from what all of them had spent, so that nobody gets a quota for each process', async () => {
    const limiters = await Promise.all([open(), open(), open()])
    const key = newKey()
    for (let sent = 0; sent < 60; sent++) await take(limiters[sent % 3]!, key, 60)
    // Each has heard of the last of them.
    for (const limiter of limiters) expect((await take(limiter, key, 60)).allowed).toBe(false)
    server.freeze()
    let granted = 0
    for (let sent = 0; sent < 60; sent++) if ((await take(limiters[sent % 3]!, key, 60)).allowed) granted++
    server.thaw()
    expect(granted).toBe(0)
    await until(() => limiters.every((limiter) => limiter.shared()), 5_000)
  })

  test('Redis hanging: one short wait, then none; nobody is refused for it; one line; asked again when it is back', async () => {
    const limiter = await open()
    const key = newKey()
    await take(limiter, key, 1000)
    server.freeze()
    const waits: number[] = []
    for (let sent = 0; sent < 200; sent++) {
      const from = performance.now()
      expect((await take(limiter, key, 1000)).allowed).toBe(true)
      waits.push(performance.now() - from)
      await Bun.sleep(2)
    }
    server.thaw()
    expect(waits.filter((ms) => ms > 25).length).toBeLessThanOrEqual(1)
    expect(Math.max(...waits)).toBeLessThan(500)
    expect(said).toHaveLength(1)
    expect(said[0]).not.toContain(String(server.port))
    await until(() => limiter.shared(), 5_000)
    expect((await take(limiter, newKey())).allowed).toBe(true)
  })
})
