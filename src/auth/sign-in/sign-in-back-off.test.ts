import { expect, test } from 'bun:test'
import { blockedUntil, FREE_FAILURES } from './sign-in-back-off.ts'

test('a few wrong passwords cause no delay', () => {
  for (let failures = 0; failures < FREE_FAILURES; failures++) expect(blockedUntil(failures, 0)).toBeNull()
})

test('every further one doubles the delay, up to 15 minutes', () => {
  expect(blockedUntil(FREE_FAILURES, 0)).toBe(10_000)
  expect(blockedUntil(FREE_FAILURES + 1, 0)).toBe(20_000)
  expect(blockedUntil(1_000, 0)).toBe(15 * 60_000)
})
