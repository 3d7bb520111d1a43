import { expect, test } from 'bun:test'
import { loopLagController } from './loop-lag.ts'

function watched() {
  let now = 0
  let cameRound: (() => void) | undefined
  const room = loopLagController({
    monotonicMs: () => now,
    nextIteration: (called) => {
      cameRound = called
    },
  })
  return {
    share: room.limitFactor,
    isTurnLong: room.isIterationSlow,
    /** Whether a turn that has taken so long is long. */
    during(ms: number): boolean {
      room.onRequest(true)
      now += ms
      const isLong = room.isIterationSlow()
      cameRound?.()
      return isLong
    },
    /** A turn in which some requests arrive, and then a pause. */
    turn(tookMs: number, { pauseMs = 0, isTight = true } = {}) {
      room.onRequest(false)
      room.onRequest(isTight)
      now += tookMs
      cameRound?.()
      now += pauseMs
    },
  }
}

test('all of the room is used while the loop comes round quickly', () => {
  const { share, turn } = watched()
  for (let n = 0; n < 1_000; n++) turn(5)
  expect(share()).toBe(1)
})

test('while turns are long less is taken on, though never less than half', () => {
  const { share, turn } = watched()
  for (let n = 0; n < 7; n++) turn(20)
  expect(share()).toBeLessThan(1)
  for (let n = 0; n < 1_000; n++) turn(20)
  expect(share()).toBe(0.5)
})

test('when they are short again, all of it is used again within seconds', () => {
  const { share, turn } = watched()
  for (let n = 0; n < 1_000; n++) turn(20)
  for (let n = 0; n < 400; n++) turn(5)
  expect(share()).toBe(1)
})

test('one long turn among many short ones changes nothing', () => {
  const { share, turn } = watched()
  for (let n = 0; n < 200; n++) turn(n % 50 === 0 ? 25 : 2)
  expect(share()).toBe(1)
})

test('long turns that nobody waits for one after the other count as what they are', () => {
  const { share, turn } = watched()
  for (let n = 0; n < 20; n++) turn(30, { pauseMs: 1_000 })
  expect(share()).toBe(0.5)
})

test('long turns while few are at work are not for having taken on too much', () => {
  const { share, turn } = watched()
  for (let n = 0; n < 1_000; n++) turn(20, { isTight: false })
  expect(share()).toBe(1)
})

test('a turn is long once it has taken longer than a turn may, and no more when it is over', () => {
  const { isTurnLong, during, turn } = watched()
  expect(isTurnLong()).toBe(false)
  expect([during(5), during(15)]).toEqual([false, true])
  turn(1)
  expect(isTurnLong()).toBe(false)
})
