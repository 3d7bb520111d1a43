import { expect, test } from 'bun:test'
import { taskQueue, timeSlice, turnstile } from './event-loop.ts'

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

test('tasks of a queue run one after the other, also after one that fails, with a pause where a slice is used up', async () => {
  const { slice, work, pauses } = sliced()
  const inTurn = taskQueue(slice)
  let running = 0
  let most = 0
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, (_, index) =>
      inTurn(async () => {
        most = Math.max(most, ++running)
        await Promise.resolve()
        work(10)
        running--
        if (index === 1) throw new Error('failed')
        return index
      }),
    ),
  )
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
  expect(most).toBe(1)
  expect(pauses()).toBe(4)
})

test('a task of a queue that waits for something does not hold up the next', async () => {
  const inTurn = taskQueue()
  const waited = Promise.withResolvers<string>()
  const first = inTurn(() => waited.promise)
  expect(await inTurn(() => 'second')).toBe('second')
  waited.resolve('first')
  expect(await first).toBe('first')
})
