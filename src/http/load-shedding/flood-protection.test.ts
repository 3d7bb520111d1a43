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

describe('pressure', () => {
  test('is not there while the loop comes round in time', () => {
    const { pressure, tickAt } = watched()
    for (let ms = 50; ms <= 1_000; ms += 50) {
      tickAt(ms)
      expect(pressure.isFlooded(ms + 40)).toBe(false)
    }
  })

  test('is seen although the loop calls no timer', () => {
    const { pressure } = watched()
    expect(pressure.isFlooded(90)).toBe(false)
    expect(pressure.isFlooded(101)).toBe(true)
  })

  test('lasts a while after the loop came round, and then is over', () => {
    const { pressure, tickAt } = watched()
    tickAt(300)
    expect(pressure.isFlooded(310)).toBe(true)
    for (let ms = 350; ms <= 2_400; ms += 50) tickAt(ms)
    expect(pressure.isFlooded(2_400)).toBe(false)
  })
})

/** Whatever key it is. */
const HELD_KEY = {}

describe('an answer', () => {
  const stranger = (status: number) => ({ key: null, status })
  const answer = (status: number) => new Response(null, { status })
  const closes = (response: Response) => response.headers.get('Connection') === 'close'

  test('is given as it is where there is no pressure', () => {
    const { pressure } = watched()
    const response = answer(401)
    expect(pressure.throttle(stranger(401), response, 50)).toBe(response)
    expect(closes(response)).toBe(false)
  })

  for (const [who, facts, isClosed] of [
    ['a stranger', stranger(401), true],
    ['a stranger at an unknown path', stranger(404), true],
    ['whoever looks at a page', stranger(200), true],
    ['a caller who asks too often', { key: HELD_KEY, status: 429 }, true],
    ['a caller who is served', { key: HELD_KEY, status: 200 }, false],
    ['a caller for whom there is no room', { key: HELD_KEY, status: 503 }, false],
  ] as const) {
    test(`to ${who} ${isClosed ? 'closes' : 'keeps'} the connection under pressure`, async () => {
      const { pressure, waits } = watched()
      const given = pressure.throttle(facts, answer(facts.status), 500)
      for (const { resolve } of waits) resolve()
      expect(closes(await given)).toBe(isClosed)
    })
  }

  test('waits a moment where there is no room, so that what is in progress comes first', () => {
    const { pressure } = watched()
    expect(pressure.throttle({ key: HELD_KEY, status: 503 }, answer(503), 500)).toBeInstanceOf(Promise)
    expect(pressure.throttle(stranger(503), answer(503), 500)).toBeInstanceOf(Promise)
  })

  test('waits where strangers ask for many in a row, and the first of the next moment do not', async () => {
    const { pressure, waits, tickAt } = watched()
    const given = Array.from({ length: 100 }, () => pressure.throttle(stranger(401), answer(401), 500))
    const held = given.filter((each) => each instanceof Promise)
    expect(held.length).toBe(80)
    for (const { resolve } of waits) resolve()
    expect((await Promise.all(held)).every(closes)).toBe(true)
    tickAt(550)
    expect(pressure.throttle(stranger(200), answer(200), 551)).toBeInstanceOf(Response)
  })
})
