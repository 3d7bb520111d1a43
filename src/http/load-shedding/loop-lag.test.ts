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
    /** Whether an iteration of this duration counts as slow while it runs. */
    during(ms: number): boolean {
      room.onRequest(true)
      now += ms
      const isLong = room.isIterationSlow()
      cameRound?.()
      return isLong
    },
    /** An iteration in which requests arrive, followed by a pause. */
    turn(tookMs: number, { pauseMs = 0, isTight = true } = {}) {
      room.onRequest(false)
      room.onRequest(isTight)
      now += tookMs
      cameRound?.()
      now += pauseMs
    },
  }
}

test('the whole limit is used while the loop keeps up', () => {
  const { share, turn } = watched()
  for (let n = 0; n < 1_000; n++) turn(5)
  expect(share()).toBe(1)
})

test('slow iterations lower the limit, but never below half', () => {
  const { share, turn } = watched()
  for (let n = 0; n < 7; n++) turn(20)
  expect(share()).toBeLessThan(1)
  for (let n = 0; n < 1_000; n++) turn(20)
  expect(share()).toBe(0.5)
})

test('the whole limit is used again seconds after the loop recovers', () => {
  const { share, turn } = watched()
  for (let n = 0; n < 1_000; n++) turn(20)
  for (let n = 0; n < 400; n++) turn(5)
  expect(share()).toBe(1)
})

test('one slow iteration among many fast ones changes nothing', () => {
  const { share, turn } = watched()
  for (let n = 0; n < 200; n++) turn(n % 50 === 0 ? 25 : 2)
  expect(share()).toBe(1)
})

test('slow iterations with pauses in between count too', () => {
  const { share, turn } = watched()
  for (let n = 0; n < 20; n++) turn(30, { pauseMs: 1_000 })
  expect(share()).toBe(0.5)
})

test('slow iterations far below the limit change nothing', () => {
  const { share, turn } = watched()
  for (let n = 0; n < 1_000; n++) turn(20, { isTight: false })
  expect(share()).toBe(1)
})

test('an iteration is slow once it exceeds the maximum, and the state resets with the next one', () => {
  const { isTurnLong, during, turn } = watched()
  expect(isTurnLong()).toBe(false)
  expect([during(5), during(15)]).toEqual([false, true])
  turn(1)
  expect(isTurnLong()).toBe(false)
})
