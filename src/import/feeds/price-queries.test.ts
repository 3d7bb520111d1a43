import { expect, test } from 'bun:test'
import { sampleDevice } from '../../../test/support/device.ts'
import { DAY_MS } from '../../lib/time.ts'
import { selectQueries } from './price-queries.ts'

const NOW = Date.parse('2026-11-01')
const phone = (name: string, listCents: number, releasedOn = '2023-11-01', make = 'Apple') =>
  sampleDevice(make, name, { id: name, releasedOn, variants: [{ listCents }] })
const daysAgo = (days: number, listings = 10) => ({ fetchedAt: NOW - days * DAY_MS, listings })

const select = (
  devices: readonly ReturnType<typeof phone>[],
  {
    interest = {},
    states = {},
    limit = 10,
  }: { interest?: Record<string, number>; states?: Record<string, ReturnType<typeof daysAgo>>; limit?: number } = {},
) =>
  selectQueries(
    devices,
    { interest: new Map(Object.entries(interest)), states: new Map(Object.entries(states)), now: NOW },
    limit,
  ).map(({ deviceId }) => deviceId)

test('devices that were appraised come first, the most appraised of them at the very first', () => {
  const devices = [phone('a', 90_000), phone('b', 90_000), phone('c', 90_000)]
  expect(select(devices, { interest: { c: 1, b: 7 } })).toEqual(['b', 'c', 'a'])
  expect(select(devices, { interest: { c: 1, b: 7 }, limit: 1 })).toEqual(['b'])
})

test('without appraisals, common makes of a usual age come before rare and old ones', () => {
  const devices = [
    phone('old', 90_000, '2012-01-01'),
    phone('rare', 90_000, '2023-11-01', 'Acme'),
    phone('usual', 90_000),
  ]
  expect(select(devices)).toEqual(['usual', 'rare', 'old'])
})

test('appraised devices are due again after a day, others after a week or, if they are cheap, later', () => {
  const devices = [phone('appraised', 90_000), phone('expensive', 90_000), phone('cheap', 9_000)]
  const dueAfter = (days: number) =>
    select(devices, {
      interest: { appraised: 1 },
      states: { appraised: daysAgo(days), expensive: daysAgo(days), cheap: daysAgo(days) },
    })
  expect(dueAfter(0.5)).toEqual([])
  expect(dueAfter(1)).toEqual(['appraised'])
  expect(dueAfter(7)).toEqual(['appraised', 'expensive'])
  expect(dueAfter(28)).toEqual(['appraised', 'expensive', 'cheap'])
})

test('devices that nobody offers are asked about rarely, and the most overdue come first', () => {
  const devices = [phone('none', 90_000), phone('week', 90_000), phone('month', 90_000)]
  const states = { none: daysAgo(20, 0), week: daysAgo(8), month: daysAgo(30) }
  expect(select(devices, { states })).toEqual(['month', 'week'])
})

test('devices without variants are never asked about', () => {
  expect(select([sampleDevice('Apple', 'empty', { variants: [] })])).toEqual([])
})
