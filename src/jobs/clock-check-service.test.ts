import { expect, test } from 'bun:test'
import { DAY_MS, HOUR_MS } from '../lib/time.ts'
import { clockCheck } from './clock-check-service.ts'

const START = Date.UTC(2026, 0, 1)

function checkOf(lastRun: number | null) {
  const state = { lastRun, clock: START, uptime: 0, reports: [] as string[] }
  const check = clockCheck({
    readLastRun: async () => state.lastRun,
    async writeLastRun(at) {
      state.lastRun = at
    },
    now: () => state.clock,
    uptime: () => state.uptime,
    onSuspect: () => state.reports.push('suspect'),
    onTrusted: () => state.reports.push('trusted'),
  })
  const pass = (ms: number) => {
    state.clock += ms
    state.uptime += ms
  }
  return { state, check, pass }
}

test('a clock that jumps ahead by more than a day deletes nothing and is reported once', async () => {
  const { state, check, pass } = checkOf(START)
  expect(await check.isTrusted()).toBe(true)
  state.clock += 400 * DAY_MS
  for (let hour = 0; hour < 20; hour++) {
    expect(await check.isTrusted()).toBe(false)
    pass(HOUR_MS)
  }
  expect(check.isSuspended()).toBe(true)
  expect(state).toMatchObject({ lastRun: START, reports: ['suspect'] })
  // Corrected by the operator.
  state.clock = START + 21 * HOUR_MS
  expect(await check.isTrusted()).toBe(true)
  expect(state.reports).toEqual(['suspect', 'trusted'])
})

test('after a downtime of a week deletion starts a day late', async () => {
  const { state, check, pass } = checkOf(START - 7 * DAY_MS)
  let hours = 0
  while (!(await check.isTrusted())) {
    pass(HOUR_MS)
    hours++
  }
  expect(hours).toBe(24)
  expect(state.lastRun).toBe(START + DAY_MS)
})

test('a clock that jumps again while it is suspect must run evenly for another day', async () => {
  const { state, check, pass } = checkOf(START - 7 * DAY_MS)
  await check.isTrusted()
  pass(23 * HOUR_MS)
  state.clock += 5 * DAY_MS
  expect(await check.isTrusted()).toBe(false)
  pass(2 * HOUR_MS)
  expect(await check.isTrusted()).toBe(false)
})

test('a clock that goes back is reported, and deletion uses the earlier time', async () => {
  const { state, check } = checkOf(START + 30 * DAY_MS)
  expect(await check.isTrusted()).toBe(true)
  expect(state).toMatchObject({ lastRun: START, reports: ['suspect'] })
})
