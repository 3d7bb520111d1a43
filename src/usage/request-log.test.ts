import { expect, test } from 'bun:test'
import { LATENCY_BUCKETS_MS, latencyBucket } from './latency-buckets.ts'
import { MAX_ENTRIES_PER_ORGANIZATION, requestLog } from './request-log.ts'

const use = (organizationId: string) => ({
  organizationId,
  at: 0,
  keyId: 'key_a',
  method: 'GET',
  route: '/api/devices',
  status: 200,
  durationMs: 1,
  requestId: 'req_1',
})

test('a busy organization fills only its own share of the log', () => {
  const log = requestLog()
  for (let sent = 0; sent < MAX_ENTRIES_PER_ORGANIZATION + 100; sent++) log.add(use('org_busy'))
  log.add(use('org_quiet'))
  const entries = log.take()
  expect(entries.filter(({ organizationId }) => organizationId === 'org_busy')).toHaveLength(
    MAX_ENTRIES_PER_ORGANIZATION,
  )
  expect(entries.filter(({ organizationId }) => organizationId === 'org_quiet')).toHaveLength(1)
  expect(log.take()).toEqual([])
  log.add(use('org_busy'))
  expect(log.take()).toHaveLength(1)
})

test('the bounds of latency classes are inclusive', () => {
  expect([0, 1, 1.01, 2, 5, 1000, 1001].map(latencyBucket)).toEqual([0, 0, 1, 1, 2, 8, LATENCY_BUCKETS_MS.length])
})
