import { expect, test } from 'bun:test'
import { oneAtATime, SLICE_MS, taskQueue, timeSlice, turnstile, yieldToEventLoop } from './event-loop.ts'

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

test('however many tasks wait for their next slice, others get a turn between any two slices', async () => {
  const TASKS = 20
  const SLICES = 3
  const order: string[] = []
  const busy = () => {
    for (const until = performance.now() + SLICE_MS; performance.now() < until; );
  }
  let isOver = false
  const request = () => {
    order.push('request')
    if (!isOver) setTimeout(request, 0)
  }
  request()
  await Promise.all(
    Array.from({ length: TASKS }, async () => {
      for (let slice = 0; slice < SLICES; slice++) {
        await yieldToEventLoop()
        order.push('slice')
        busy()
      }
    }),
  )
  isOver = true
  expect(order.filter((event) => event === 'slice')).toHaveLength(TASKS * SLICES)
  expect(order.join(' ')).not.toContain('slice slice slice')
})

test('work of one key runs one after the other, also after a failure, and not behind the work of another', async () => {
  const inTurn = oneAtATime()
  const first = Promise.withResolvers<string>()
  const order: string[] = []
  const work = (name: string, result: Promise<string> | string) => async () => {
    order.push(name)
    return result
  }
  const results = [inTurn('a', work('a1', first.promise)), inTurn('a', work('a2', 'second'))]
  expect(await inTurn('b', work('b1', 'other'))).toBe('other')
  expect(order).toEqual(['a1', 'b1'])
  first.reject(new Error('failed'))
  const settled = await Promise.allSettled(results)
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(order).toEqual(['a1', 'b1', 'a2'])
})
