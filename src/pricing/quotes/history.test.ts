import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY_MS, WEEK_MS } from '../../lib/time.ts'
import { earlierPeriods, HISTORY_WEEKS, weeksInDays } from './history.ts'

const NOW = Date.UTC(2026, 5, 3, 12)

test('a quote contains 182 days of history, so nothing else is read for them', () => {
  expect(weeksInDays(182)).toBe(HISTORY_WEEKS)
  expect(earlierPeriods(NOW, HISTORY_WEEKS)).toEqual([])
})

test('the periods before a quote have no gaps or overlaps and cover the requested weeks', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_650 }), fc.integer({ min: 0, max: 13 * DAY_MS }), (days, later) => {
      const periods = earlierPeriods(NOW + later, weeksInDays(days))
      const weeks = periods.reduce((sum, period) => sum + period.weeks, 0)
      expect(weeks).toBe(Math.max(0, weeksInDays(days) - HISTORY_WEEKS))
      periods.forEach(({ since, until, weeks: count }, at) => {
        expect(until - since + 1).toBe(count * WEEK_MS)
        expect(new Date(since).getUTCDay()).toBe(1)
        const newer = periods[at - 1]
        if (newer) expect(until + 1).toBe(newer.since)
      })
    }),
  )
})
