import { expect, test } from 'bun:test'
import { MINUTE_MS } from '../../lib/time.ts'
import { CLAIM_GRACE_MS, type FeedState, findDueRun } from './feed-schedule.ts'

const HOURLY = { cron: '0 * * * *', timeZone: 'UTC' }
const NOON = Date.UTC(2026, 0, 15, 12)
const AT_NOON = NOON + 40

function state(more: Partial<FeedState> = {}): FeedState {
  return {
    name: 'stolen',
    addedAt: 0,
    claimedAt: AT_NOON,
    attempts: 1,
    startedAt: AT_NOON + 300,
    finishedAt: AT_NOON + 5_000,
    outcome: 'imported',
    succeededAt: null,
    failedAt: null,
    failure: null,
    failures: 0,
    settingsHash: null,
    etag: null,
    lastModified: null,
    ...more,
  }
}

test('a feed is due at the next time of its schedule, not before', () => {
  expect(findDueRun(HOURLY, state(), NOON + 60 * MINUTE_MS - 1)).toBeUndefined()
  expect(findDueRun(HOURLY, state(), NOON + 60 * MINUTE_MS)).toEqual({ attempt: 1 })
})

test('a run that another process just claimed is not due again', () => {
  expect(findDueRun(HOURLY, state({ startedAt: null, finishedAt: null, outcome: null }), AT_NOON + 10)).toBeUndefined()
})

test('several missed runs are one', () => {
  const state9 = state({ claimedAt: NOON - 3 * 60 * MINUTE_MS })
  expect(findDueRun(HOURLY, state9, AT_NOON)).toEqual({ attempt: 1 })
  expect(findDueRun(HOURLY, { ...state9, claimedAt: AT_NOON }, AT_NOON + 1)).toBeUndefined()
})

test('a new feed waits for its scheduled time', () => {
  const added = state({ attempts: 0, startedAt: null, finishedAt: null, outcome: null })
  expect(findDueRun(HOURLY, added, AT_NOON + CLAIM_GRACE_MS * 2)).toBeUndefined()
  expect(findDueRun(HOURLY, added, NOON + 60 * MINUTE_MS)).toEqual({ attempt: 1 })
})

for (const [what, more] of [
  ['that was killed', { finishedAt: null, outcome: null }],
  ['that was stopped with the service', { outcome: 'stopped' }],
  ['whose process never started it', { startedAt: AT_NOON - 1 }],
] as const) {
  test(`a run ${what} is restarted after a while, three times at most`, () => {
    expect(findDueRun(HOURLY, state(more), AT_NOON + CLAIM_GRACE_MS - 1)).toBeUndefined()
    expect(findDueRun(HOURLY, state(more), AT_NOON + CLAIM_GRACE_MS)).toEqual({ attempt: 2 })
    expect(findDueRun(HOURLY, state({ ...more, attempts: 3 }), AT_NOON + CLAIM_GRACE_MS)).toBeUndefined()
    expect(findDueRun(HOURLY, state({ ...more, attempts: 3 }), NOON + 60 * MINUTE_MS)).toEqual({ attempt: 1 })
  })
}

test('a failed run waits for the next scheduled time', () => {
  expect(findDueRun(HOURLY, state({ outcome: 'failed' }), AT_NOON + CLAIM_GRACE_MS * 10)).toBeUndefined()
})

test('schedules may have seconds and a time zone', () => {
  const every2s = { cron: '*/2 * * * * *', timeZone: 'UTC' }
  expect(findDueRun(every2s, state(), NOON + 1_999)).toBeUndefined()
  expect(findDueRun(every2s, state(), NOON + 2_000)).toEqual({ attempt: 1 })
  const vilnius = { cron: '0 15 * * *', timeZone: 'Europe/Vilnius' }
  expect(findDueRun(vilnius, state(), NOON + 59 * MINUTE_MS)).toBeUndefined()
  expect(findDueRun(vilnius, state(), NOON + 60 * MINUTE_MS)).toEqual({ attempt: 1 })
})
