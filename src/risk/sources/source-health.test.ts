import { expect, test } from 'bun:test'
import { sourceHealth } from './source-health.ts'

test('a source is down after three failures in a row, since the first of them', () => {
  let now = 1_000
  const health = sourceHealth(() => now++)
  for (const reason of ['timed out', 'status 500']) health.recordFailure('gsma', reason)
  expect(health.listOutages()).toEqual([])
  health.recordFailure('gsma', 'the breaker is open')
  health.recordFailure('ctia', 'timed out')
  expect(health.listOutages()).toEqual([{ name: 'gsma', since: 1_000, reason: 'the breaker is open' }])
})

test('one response ends the outage and resets the failure count', () => {
  const health = sourceHealth(() => 5)
  for (let i = 0; i < 9; i++) health.recordFailure('gsma', 'timed out')
  health.recordSuccess('gsma')
  expect(health.listOutages()).toEqual([])
  health.recordFailure('gsma', 'timed out')
  expect(health.listOutages()).toEqual([])
})
