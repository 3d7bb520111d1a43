import { expect, test } from 'bun:test'
import { backgroundTask, runToEnd, type TimeSliced } from './time-sliced.ts'

function* counting(to: number, seen: number[]): TimeSliced<string> {
  for (let at = 0; at < to; at++) {
    seen.push(at)
    yield
  }
  return 'done'
}

test('a background task can be finished synchronously, and its work runs once', () => {
  const seen: number[] = []
  const work = backgroundTask(counting(5, seen))
  const slices = work.remainingWork()
  slices.next()
  slices.next()
  expect(seen).toEqual([0, 1])
  expect(work.finishNow()).toBe('done')
  expect(seen).toEqual([0, 1, 2, 3, 4])
  expect(slices.next()).toEqual({ done: true, value: 'done' })
  expect(runToEnd(work.remainingWork())).toBe('done')
  expect(work.finishNow()).toBe('done')
  expect(seen).toHaveLength(5)
})
