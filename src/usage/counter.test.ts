import { expect, test } from 'bun:test'
import { usageCounter } from './counter.ts'

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
  expect(counter.take()).toEqual({ counts: [], peaks: expect.anything() })
})

test('remembers the busiest minute of a key', () => {
  const counter = usageCounter()
  for (let i = 0; i < 3; i++) counter.add(use, noon + i)
  counter.add({ ...use, route: '/api/variants' }, noon + 10)
  counter.add(use, noon + 60_000)
  expect(counter.take().peaks).toEqual([
    { organizationId: 'org_a', keyId: 'key_a', day: '2026-03-02', peakPerMinute: 4 },
  ])
})

test('organizations are counted apart, whatever their keys are called', () => {
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
