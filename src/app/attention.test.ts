import { expect, test } from 'bun:test'
import { DAY_MS } from '../lib/time.ts'
import { listAttentionItems } from './attention.ts'

const NOW = Date.parse('2026-06-15T12:00:00Z')
const NOTHING = { keys: [], runs: [], feeds: [], lists: [], sources: [], isClockSuspect: false }
const key = (days: number | null, revokedAt: number | null = null) => ({
  name: 'Shop',
  expiresAt: days === null ? null : NOW + days * DAY_MS,
  revokedAt,
})
const run = (state: string, daysAgo: number) => ({
  format: 'observations',
  state,
  startedAt: NOW - daysAgo * DAY_MS,
  finishedAt: NOW - daysAgo * DAY_MS,
})
const kinds = (seen: Partial<Parameters<typeof listAttentionItems>[0]>) =>
  listAttentionItems({ ...NOTHING, ...seen }, NOW).map(({ kind }) => kind)

test('a key is listed from 14 days before it expires until it expires or is revoked', () => {
  expect(kinds({ keys: [key(14)] })).toEqual(['key_expiring'])
  expect(kinds({ keys: [key(15), key(null), key(-1), key(3, NOW - DAY_MS)] })).toEqual([])
})

test('a failed import is listed for a week, unless a later one of its kind succeeds', () => {
  expect(kinds({ runs: [run('failed', 1)] })).toEqual(['import_failed'])
  expect(kinds({ runs: [run('done', 0), run('failed', 1)] })).toEqual([])
  expect(kinds({ runs: [run('failed', 8)] })).toEqual([])
})

test('a clearing list is listed once it is too old to clear; a list that only reports never is', () => {
  const importedAt = NOW - 8 * DAY_MS
  expect(kinds({ lists: [{ name: 'DE', importedAt, clearance: { maxAgeDays: 7 } }] })).toEqual(['list_stale'])
  expect(kinds({ lists: [{ name: 'DE', importedAt, clearance: null }] })).toEqual([])
})

test('a feed is listed while it fails', () => {
  expect(kinds({ feeds: [{ name: 'market', failures: 2, failedAt: NOW }] })).toEqual(['feed_failing'])
  expect(kinds({ feeds: [{ name: 'market', failures: 0, failedAt: NOW - DAY_MS }] })).toEqual([])
})

test('a clock that jumped is listed first', () => {
  const feeds = [{ name: 'market', failures: 2, failedAt: NOW }]
  expect(kinds({ isClockSuspect: true, feeds })).toEqual(['clock_jumped', 'feed_failing'])
})

test('an unavailable source is listed first, with the start of the outage', () => {
  const since = NOW - DAY_MS
  const seen = {
    ...NOTHING,
    sources: [{ name: 'gsma', since }],
    feeds: [{ name: 'market', failures: 2, failedAt: NOW }],
  }
  expect(listAttentionItems(seen, NOW)).toEqual([
    { kind: 'source_down', subject: 'gsma', at: '2026-06-14T12:00:00.000Z' },
    { kind: 'feed_failing', subject: 'market', at: '2026-06-15T12:00:00.000Z' },
  ])
})
