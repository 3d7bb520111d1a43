import { expect, test } from 'bun:test'
import { concurrencyLimit } from './concurrency-limit.ts'

function pendingWork() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { pending: promise, finish: resolve }
}

function errorOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}

test('requests up to the limit run, the next is rejected at once, and slots are freed whether the work succeeds or fails', async () => {
  const admitted = concurrencyLimit({ max: 2, maxPerOrganization: 2 })
  const { pending, finish } = pendingWork()
  const first = admitted.run('a', () => pending)
  const second = admitted.run('b', async () => {
    await pending
    throw new Error('failed')
  })
  expect(admitted.running()).toBe(2)
  expect(admitted.isFull()).toBe(true)
  expect(errorOf(() => admitted.run('c', async () => 'late'))).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    headers: { 'Retry-After': '1' },
  })
  finish()
  await first
  expect(await second.catch((error) => error.message)).toBe('failed')
  expect(admitted.running()).toBe(0)
  expect(admitted.isFull()).toBe(false)
  expect(await admitted.run('c', async () => 'again')).toBe('again')
})

test('an organization over its own limit is rejected while others are served', async () => {
  const admitted = concurrencyLimit({ max: 4, maxPerOrganization: 2 })
  const { pending, finish } = pendingWork()
  const greedy = [admitted.run('greedy', () => pending), admitted.run('greedy', () => pending)]
  expect(errorOf(() => admitted.run('greedy', () => pending))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(admitted.isFull()).toBe(false)
  expect(await admitted.run('other', async () => 'served')).toBe('served')
  finish()
  await Promise.all(greedy)
  expect(await admitted.run('greedy', async () => 'again')).toBe('again')
})

test('a lower factor reduces the limit for new requests, and running ones continue', async () => {
  let share = 1
  const admitted = concurrencyLimit({ max: 4, maxPerOrganization: 2, factor: () => share })
  const { pending, finish } = pendingWork()
  const first = [admitted.run('a', () => pending), admitted.run('b', () => pending)]
  expect(admitted.isNearLimit()).toBe(true)
  expect(admitted.isFull()).toBe(false)
  share = 0.5
  expect(admitted.isFull()).toBe(true)
  expect(errorOf(() => admitted.run('c', () => pending))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(admitted.running()).toBe(2)
  share = 1
  expect(await admitted.run('c', async () => 'served')).toBe('served')
  finish()
  await Promise.all(first)
})
