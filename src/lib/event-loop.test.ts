import { expect, test } from 'bun:test'
import { timeSlice, turnstile } from './event-loop.ts'

/** A clock that each task moves, and the pauses between tasks. */
function sliced() {
  let time = 0
  let pauses = 0
  const slice = timeSlice(
    async () => {
      pauses++
    },
    () => time,
  )
  const work = (ms: number) => {
    time += ms
  }
  return { slice, work, pauses: () => pauses }
}

test('tasks that waited for the same promise continue one after the other, with a pause where a slice is used up', async () => {
  const { slice, work, pauses } = sliced()
  const takeTurn = turnstile(slice)
  const ready = Promise.withResolvers<void>()
  const order: number[] = []
  const tasks = Array.from({ length: 5 }, async (_, index) => {
    await ready.promise
    await takeTurn()
    order.push(index)
    work(10)
  })
  ready.resolve()
  await Promise.all(tasks)
  expect(order).toEqual([0, 1, 2, 3, 4])
  expect(pauses()).toBe(4)
})

test('short tasks share a slice', async () => {
  const { slice, work, pauses } = sliced()
  const takeTurn = turnstile(slice)
  await Promise.all(Array.from({ length: 40 }, () => takeTurn().then(() => work(0.5))))
  expect(pauses()).toBeLessThan(10)
  expect(pauses()).toBeGreaterThan(0)
})
