import { expect, test } from 'bun:test'
import { atOnce, type Slices, underway } from './slices.ts'

function* counting(to: number, seen: number[]): Slices<string> {
  for (let at = 0; at < to; at++) {
    seen.push(at)
    yield
  }
  return 'done'
}

test('work that is underway is finished at once for whoever needs it, and done once', () => {
  const seen: number[] = []
  const work = underway(counting(5, seen))
  const slices = work.rest()
  slices.next()
  slices.next()
  expect(seen).toEqual([0, 1])
  expect(work.now()).toBe('done')
  expect(seen).toEqual([0, 1, 2, 3, 4])
  expect(slices.next()).toEqual({ done: true, value: 'done' })
  expect(atOnce(work.rest())).toBe('done')
  expect(work.now()).toBe('done')
  expect(seen).toHaveLength(5)
})
