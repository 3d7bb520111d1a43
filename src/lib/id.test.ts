import { expect, test } from 'bun:test'
import { idGenerator, idLowerBound, LOWER_DIGITS, sortableId } from './id.ts'

const NOW = Date.UTC(2026, 10, 15)
const random = (limit: number) => Math.floor(Math.random() * limit)
const SHAPE = { prefix: 'thing', digits: LOWER_DIGITS, timeLength: 9 }

test('ids sort by time, also within a millisecond and when the clock goes back', () => {
  const next = idGenerator(SHAPE, random)
  const created = [NOW, NOW, NOW, NOW + 1, NOW - 5_000, NOW + 2].map(next)
  expect([...created].sort()).toEqual(created)
  expect(new Set(created).size).toBe(created.length)
})

test('a bound separates ids created before an instant from later ones', () => {
  expect(idGenerator(SHAPE, random)(NOW - 1) < idLowerBound(SHAPE, NOW)).toBe(true)
  expect(idGenerator(SHAPE, random)(NOW) > idLowerBound(SHAPE, NOW)).toBe(true)
})

test('two processes do not create the same id', () => {
  const ids = Array.from({ length: 1_000 }, () => idGenerator(SHAPE, random)(NOW))
  expect(new Set(ids).size).toBe(1_000)
})

test('each kind of row has its own prefix and a stable length', () => {
  for (const prefix of ['org', 'key', 'per', 'act']) {
    expect(sortableId(prefix, NOW)).toMatch(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{25}$`))
  }
})

test('ids created in an earlier year sort before those of today', () => {
  expect('key_1k00000000000000000000000' < sortableId('key', NOW)).toBe(true)
})
