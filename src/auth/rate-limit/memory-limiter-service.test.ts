import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { memoryLimiter } from './memory-limiter-service.ts'

const EPOCH_MS = 1_800_000_000_000

/** A limiter with an injected clock. */
function limiterAt(startMs = 0, maxKeys?: number) {
  const clock = { ms: startMs }
  const limiter = memoryLimiter({ monotonicMs: () => clock.ms, maxKeys })
  const take = (key = 'k', limit = 300, cost = 1) => limiter.take(key, limit, cost, EPOCH_MS + clock.ms)
  return { clock, limiter, take }
}

test("a minute's worth of requests may be spent at once, and not one more", () => {
  const { take } = limiterAt()
  for (let sent = 1; sent <= 300; sent++) expect(take()).toMatchObject({ allowed: true, remaining: 300 - sent })
  expect(take()).toMatchObject({ allowed: false, remaining: 0, limit: 300, retryAfterSeconds: 60 })
})

test('a rejected request costs nothing', () => {
  const { clock, take } = limiterAt()
  for (let sent = 0; sent < 3000; sent++) take()
  clock.ms = 60_000
  expect(take()).toMatchObject({ allowed: true, remaining: 299 })
})

test('keys do not share a limit', () => {
  const { take } = limiterAt()
  for (let sent = 0; sent < 301; sent++) take('a')
  expect(take('a').allowed).toBe(false)
  expect(take('b').allowed).toBe(true)
})

test('reset is the second in which the oldest spent requests become available again', () => {
  const { clock, take } = limiterAt()
  expect(take().resetAtEpochSeconds).toBe(EPOCH_MS / 1000 + 60)
  clock.ms = 30_000
  expect(take().resetAtEpochSeconds).toBe(EPOCH_MS / 1000 + 60)
  clock.ms = 60_000
  expect(take().resetAtEpochSeconds).toBe(EPOCH_MS / 1000 + 90)
})

test('a costly request waits until enough is available again', () => {
  const { clock, take } = limiterAt()
  take('k', 10, 4)
  clock.ms = 20_000
  take('k', 10, 6)
  clock.ms = 30_000
  expect(take('k', 10, 3).retryAfterSeconds).toBe(30)
  expect(take('k', 10, 5).retryAfterSeconds).toBe(50)
})

test('a cost above the limit counts as the whole limit', () => {
  const { take } = limiterAt()
  expect(take('k', 10, 25)).toMatchObject({ allowed: true, remaining: 0 })
  expect(take('k', 10, 1).allowed).toBe(false)
})

test('a lowered limit applies at once, and a raised one too', () => {
  const { take } = limiterAt()
  for (let sent = 0; sent < 10; sent++) take('k', 10)
  expect(take('k', 5)).toMatchObject({ allowed: false, remaining: 0, limit: 5 })
  expect(take('k', 12)).toMatchObject({ allowed: true, remaining: 1, limit: 12 })
})

test('a limit of zero rejects everything', () => {
  const { take } = limiterAt()
  expect(take('k', 0)).toMatchObject({ allowed: false, retryAfterSeconds: 60 })
  expect(take('k', Number.NaN)).toMatchObject({ allowed: false, retryAfterSeconds: 60 })
})

test('the wall clock may jump by an hour or a day without a rejection or free quota', () => {
  const clock = { ms: 0 }
  const limiter = memoryLimiter({ monotonicMs: () => clock.ms })
  for (let sent = 0; sent < 5; sent++) limiter.take('k', 5, 1, EPOCH_MS)
  for (const jumpMs of [3_600_000, -3_600_000, 86_400_000, -86_400_000]) {
    expect(limiter.take('k', 5, 1, EPOCH_MS + jumpMs)).toMatchObject({ allowed: false, retryAfterSeconds: 60 })
  }
  clock.ms = 60_000
  expect(limiter.take('k', 5, 1, EPOCH_MS - 86_400_000).allowed).toBe(true)
})

const traffic = fc.array(fc.record({ pauseMs: fc.nat(20_000), cost: fc.integer({ min: 1, max: 4 }) }), {
  maxLength: 200,
})

test('no 60 seconds ever allow more than the limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), traffic, (limit, requests) => {
      const { clock, take } = limiterAt(123.456)
      const granted: { at: number; cost: number }[] = []
      for (const { pauseMs, cost } of requests) {
        clock.ms += pauseMs / 7
        const charged = Math.min(cost, limit)
        if (take('k', limit, cost).allowed) granted.push({ at: clock.ms, cost: charged })
        const lastMinute = granted.filter(({ at }) => clock.ms - at < 60_000)
        expect(lastMinute.reduce((sum, grant) => sum + grant.cost, 0)).toBeLessThanOrEqual(limit)
      }
    }),
  )
})

// 60000.1 + 60000 - 60000.1 is a little more than 60000, which rounds up to 61 seconds.
test('Retry-After is at most 60 seconds, whatever the fractions of the clock', () => {
  const { clock, take } = limiterAt(0.1)
  for (let minute = 0; minute < 1_000; minute++) {
    clock.ms = 0.1 + minute * 60_001
    expect(take('k', 1).allowed).toBe(true)
    expect(take('k', 1)).toMatchObject({ allowed: false, retryAfterSeconds: 60 })
  }
})

test('waiting exactly Retry-After succeeds and one second less does not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), traffic, (limit, requests) => {
      // Fractions that add up exactly: this tests a boundary, not rounding.
      const { clock, take } = limiterAt(0.125)
      for (const { pauseMs, cost } of requests) {
        clock.ms += pauseMs / 8
        const charged = Math.min(cost, limit)
        const rejected = take('k', limit, charged)
        if (rejected.allowed) continue
        expect(rejected.retryAfterSeconds).toBeGreaterThanOrEqual(1)
        expect(rejected.retryAfterSeconds).toBeLessThanOrEqual(60)
        const refusedAt = clock.ms
        clock.ms = refusedAt + (rejected.retryAfterSeconds - 1) * 1000
        expect(take('k', limit, charged).allowed).toBe(false)
        clock.ms = refusedAt + rejected.retryAfterSeconds * 1000
        expect(take('k', limit, charged).allowed).toBe(true)
      }
    }),
  )
})

test('a client at ten times the limit gets 98 to 102 % of it over ten minutes', () => {
  for (const limit of [7, 300, 1200, 6000]) {
    const { clock, take } = limiterAt()
    let granted = 0
    for (; clock.ms < 600_000; clock.ms += 60_000 / (10 * limit)) if (take('k', limit).allowed) granted++
    expect(granted / (10 * limit)).toBeGreaterThanOrEqual(0.98)
    expect(granted / (10 * limit)).toBeLessThanOrEqual(1.02)
  }
})

test('a flood of addresses does not fill the memory, and a client in between keeps its count', () => {
  const { clock, limiter, take } = limiterAt(0, 10_000)
  for (let sent = 0; sent < 5; sent++) take('caller', 10)
  for (let address = 0; address < 200_000; address++) {
    take(`address-${address}`)
    if (address % 2000 === 0) take('caller', 5)
    clock.ms += 0.01
  }
  expect(limiter.size()).toBeLessThanOrEqual(10_000)
  expect(take('caller', 5).allowed).toBe(false)
})

test('idle keys are deleted within two windows', () => {
  const { clock, limiter, take } = limiterAt()
  for (let key = 0; key < 100; key++) take(`k${key}`)
  for (let minute = 1; minute <= 2; minute++) {
    clock.ms = minute * 60_000
    take('busy')
  }
  expect(limiter.size()).toBe(1)
})
