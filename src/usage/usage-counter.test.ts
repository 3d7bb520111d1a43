import { expect, test } from 'bun:test'
import { usageCounter } from './usage-counter.ts'

const use = { organizationId: 'org_a', keyId: 'key_a', route: '/api/devices', status: 200 }
const noon = Date.parse('2026-03-02T12:00:00Z')

test('counts by day, key, route and status', () => {
  const counter = usageCounter()
  counter.add(use, noon)
  counter.add(use, noon + 1)
  counter.add({ ...use, status: 429 }, noon + 2)
  counter.add(use, noon + 86_400_000)
  expect(counter.take().counts.map(({ day, status, count }) => [day, status, count])).toEqual([
    ['2026-03-02', 200, 2],
    ['2026-03-02', 429, 1],
    ['2026-03-03', 200, 1],
  ])
})

test('stores the busiest minute of a key', () => {
  const counter = usageCounter()
  for (let i = 0; i < 3; i++) counter.add(use, noon + i)
  counter.add({ ...use, route: '/api/variants' }, noon + 10)
  counter.add(use, noon + 60_000)
  expect(counter.take().peaks).toEqual([
    { organizationId: 'org_a', keyId: 'key_a', day: '2026-03-02', peakPerMinute: 4 },
  ])
})

test('what was taken is not taken again; requests later in the same minute still count towards its peak', () => {
  const counter = usageCounter()
  for (let i = 0; i < 3; i++) counter.add(use, noon + i)
  expect(counter.take().peaks).toMatchObject([{ peakPerMinute: 3 }])
  for (let i = 0; i < 2; i++) expect(counter.take()).toEqual({ counts: [], hours: [], peaks: [] })
  counter.add(use, noon + 10)
  expect(counter.take().peaks).toMatchObject([{ peakPerMinute: 4 }])
  counter.add({ ...use, organizationId: 'org_b' }, noon + 60_000)
  expect(counter.take().peaks).toMatchObject([{ organizationId: 'org_b', peakPerMinute: 1 }])
})

test('organizations are counted separately, even with equal key ids', () => {
  const counter = usageCounter()
  counter.add(use, noon)
  counter.add({ ...use, organizationId: 'org_b' }, noon)
  const { counts, peaks } = counter.take()
  expect(counts.map(({ organizationId, count }) => [organizationId, count])).toEqual([
    ['org_a', 1],
    ['org_b', 1],
  ])
  expect(peaks).toHaveLength(2)
})

test('counts by hour and latency class, and a day is the sum of its hours', () => {
  const counter = usageCounter()
  for (const durationMs of [0.2, 0.3, 30]) counter.add({ ...use, durationMs }, noon)
  counter.add({ ...use, durationMs: 0.2 }, noon + 3_600_000)
  counter.add({ ...use, route: 'lookup:low' }, noon, 'not_a_request')
  const { counts, hours, peaks } = counter.take()
  expect(counts.map(({ route, count }) => [route, count])).toEqual([
    ['/api/devices', 4],
    ['lookup:low', 1],
  ])
  const first = noon / 3_600_000
  expect(hours.map(({ hour, latencyBucket: latency, count }) => [hour - first, latency, count])).toEqual([
    [0, 0, 2],
    [0, 5, 1],
    [1, 0, 1],
  ])
  expect(peaks).toHaveLength(1)
})
