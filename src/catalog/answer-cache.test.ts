import { expect, test } from 'bun:test'
import { answerCache } from './answer-cache.ts'

test('an answer is found by its key, and no other is', () => {
  const cache = answerCache<string>(100_000)
  cache.keep('a', 'answer', 10)
  expect(cache.find('a')).toBe('answer')
  expect(cache.find('b')).toBeUndefined()
})

test('however many are kept, they stay within the budget', () => {
  const cache = answerCache<number>(100_000)
  for (let i = 0; i < 5_000; i++) cache.keep(`key ${i}`, i, 5_000)
  const found = Array.from({ length: 5_000 }, (_, i) => cache.find(`key ${i}`)).filter((each) => each !== undefined)
  expect(found.length).toBeGreaterThan(10)
  expect(found.length * 5_300).toBeLessThanOrEqual(100_000)
})

test('what is asked for often outlives a flood of what is asked for once', () => {
  const cache = answerCache<string>(100_000)
  cache.keep('hot', 'answer', 1_000)
  for (let i = 0; i < 1_000; i++) {
    cache.keep(`once ${i}`, 'x', 1_000)
    expect(cache.find('hot')).toBe('answer')
  }
})

test('an answer or key too large to be worth it is not kept', () => {
  const cache = answerCache<string>(100_000)
  cache.keep('large', 'answer', 50_000)
  cache.keep('k'.repeat(1_000), 'answer', 10)
  expect(cache.find('large')).toBeUndefined()
  expect(cache.find('k'.repeat(1_000))).toBeUndefined()
})
