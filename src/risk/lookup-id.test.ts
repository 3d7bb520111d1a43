import { expect, test } from 'bun:test'
import { lookupIdGenerator, minLookupIdAt } from './lookup-id.ts'

const random = (limit: number) => Math.floor(Math.random() * limit)

test('ids sort by time, also within a millisecond and when the clock goes back', () => {
  const next = lookupIdGenerator(random)
  const now = Date.UTC(2026, 10, 15)
  const created = [now, now, now, now + 1, now - 5_000, now + 2].map(next)
  expect([...created].sort()).toEqual(created)
  expect(new Set(created).size).toBe(created.length)
  for (const id of created) expect(id).toMatch(/^lkp_[0-9A-HJKMNP-TV-Z]{26}$/)
})

test('a bound separates ids created before an instant from later ones', () => {
  const now = Date.UTC(2026, 10, 15)
  expect(lookupIdGenerator(random)(now - 1) < minLookupIdAt(now)).toBe(true)
  expect(lookupIdGenerator(random)(now) > minLookupIdAt(now)).toBe(true)
  expect(minLookupIdAt(-1) < minLookupIdAt(1)).toBe(true)
})

test('two processes do not create the same id', () => {
  const now = Date.UTC(2026, 10, 15)
  const ids = Array.from({ length: 1_000 }, () => lookupIdGenerator(random)(now))
  expect(new Set(ids).size).toBe(1_000)
})
