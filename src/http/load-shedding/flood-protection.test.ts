import { describe, expect, test } from 'bun:test'
import { floodProtection } from './flood-protection.ts'

function watched() {
  let now = 0
  let tick = () => {}
  const waits: PromiseWithResolvers<void>[] = []
  const pressure = floodProtection({
    monotonicMs: () => now,
    repeat: (called) => {
      tick = called
      return () => {}
    },
    wait: () => {
      const waiting = Promise.withResolvers<void>()
      waits.push(waiting)
      return waiting.promise
    },
  })
  return {
    pressure,
    waits,
    tickAt(ms: number) {
      now = ms
      tick()
    },
  }
}

describe('a flood', () => {
  test('is not detected while the loop keeps up', () => {
    const { pressure, tickAt } = watched()
    for (let ms = 50; ms <= 1_000; ms += 50) {
      tickAt(ms)
      expect(pressure.isFlooded(ms + 40)).toBe(false)
    }
  })

  test('is detected even if no timer runs', () => {
    const { pressure } = watched()
    expect(pressure.isFlooded(90)).toBe(false)
    expect(pressure.isFlooded(101)).toBe(true)
  })

  test('is over some time after the loop keeps up again', () => {
    const { pressure, tickAt } = watched()
    tickAt(300)
    expect(pressure.isFlooded(310)).toBe(true)
    for (let ms = 350; ms <= 2_400; ms += 50) tickAt(ms)
    expect(pressure.isFlooded(2_400)).toBe(false)
  })
})

/** Any key. */
const HELD_KEY = {}

describe('a response', () => {
  const withoutKey = (status: number) => ({ principal: null, status })
  const responseWith = (status: number) => new Response(null, { status })
  const closes = (response: Response) => response.headers.get('Connection') === 'close'

  test('is unchanged without a flood', () => {
    const { pressure } = watched()
    const response = responseWith(401)
    expect(pressure.throttle(withoutKey(401), response, 50)).toBe(response)
    expect(closes(response)).toBe(false)
  })

  for (const [who, facts, isClosed] of [
    ['a caller without a key', withoutKey(401), true],
    ['a caller without a key at an unknown path', withoutKey(404), true],
    ['a visitor of a page', withoutKey(200), true],
    ['a caller over the rate limit', { principal: HELD_KEY, status: 429 }, true],
    ['a caller that is served', { principal: HELD_KEY, status: 200 }, false],
    ['a caller rejected by load shedding', { principal: HELD_KEY, status: 503 }, false],
  ] as const) {
    test(`to ${who} ${isClosed ? 'closes' : 'keeps'} the connection during a flood`, async () => {
      const { pressure, waits } = watched()
      const throttled = pressure.throttle(facts, responseWith(facts.status), 500)
      for (const { resolve } of waits) resolve()
      expect(closes(await throttled)).toBe(isClosed)
    })
  }

  test('with 503 is delayed, so that work in progress comes first', () => {
    const { pressure } = watched()
    expect(pressure.throttle({ principal: HELD_KEY, status: 503 }, responseWith(503), 500)).toBeInstanceOf(Promise)
    expect(pressure.throttle(withoutKey(503), responseWith(503), 500)).toBeInstanceOf(Promise)
  })

  test('to callers without a key is delayed beyond the first 20 per tick', async () => {
    const { pressure, waits, tickAt } = watched()
    const throttled = Array.from({ length: 100 }, () => pressure.throttle(withoutKey(401), responseWith(401), 500))
    const delayed = throttled.filter((each) => each instanceof Promise)
    expect(delayed.length).toBe(80)
    for (const { resolve } of waits) resolve()
    expect((await Promise.all(delayed)).every(closes)).toBe(true)
    tickAt(550)
    expect(pressure.throttle(withoutKey(200), responseWith(200), 551)).toBeInstanceOf(Response)
  })
})
