import { expect, test } from 'bun:test'
import { MINUTE_MS } from '../../lib/time.ts'
import { isDue } from './feed-schedule.ts'

const HOURLY = { cron: '0 * * * *', timeZone: 'UTC' }
const NOON = Date.UTC(2026, 0, 15, 12)
const AT_NOON = { scheduledAt: NOON + 40 }

test('a feed is due at the next time of its schedule, not before', () => {
  expect(isDue(HOURLY, AT_NOON, NOON + 60 * MINUTE_MS - 1)).toBe(false)
  expect(isDue(HOURLY, AT_NOON, NOON + 60 * MINUTE_MS)).toBe(true)
})

test('several missed runs are one', () => {
  expect(isDue(HOURLY, { scheduledAt: NOON - 3 * 60 * MINUTE_MS }, NOON + 40)).toBe(true)
  expect(isDue(HOURLY, AT_NOON, NOON + 41)).toBe(false)
})

test('schedules may have seconds and a time zone', () => {
  const every2s = { cron: '*/2 * * * * *', timeZone: 'UTC' }
  expect(isDue(every2s, AT_NOON, NOON + 1_999)).toBe(false)
  expect(isDue(every2s, AT_NOON, NOON + 2_000)).toBe(true)
  const vilnius = { cron: '0 15 * * *', timeZone: 'Europe/Vilnius' }
  expect(isDue(vilnius, AT_NOON, NOON + 59 * MINUTE_MS)).toBe(false)
  expect(isDue(vilnius, AT_NOON, NOON + 60 * MINUTE_MS)).toBe(true)
})
