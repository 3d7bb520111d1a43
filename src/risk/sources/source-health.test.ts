import { expect, test } from 'bun:test'
import { sourceHealth } from './source-health.ts'

test('a source is down after three failures in a row, since the first of them', () => {
  let now = 1_000
  const health = sourceHealth(() => now++)
  for (const reason of ['timed out', 'status 500']) health.failed('gsma', reason)
  expect(health.down()).toEqual([])
  health.failed('gsma', 'the breaker is open')
  health.failed('ctia', 'timed out')
  expect(health.down()).toEqual([{ name: 'gsma', since: 1_000, reason: 'the breaker is open' }])
})

test('one answer makes it well again, and failures count from the beginning', () => {
  const health = sourceHealth(() => 5)
  for (let i = 0; i < 9; i++) health.failed('gsma', 'timed out')
  health.answered('gsma')
  expect(health.down()).toEqual([])
  health.failed('gsma', 'timed out')
  expect(health.down()).toEqual([])
})
