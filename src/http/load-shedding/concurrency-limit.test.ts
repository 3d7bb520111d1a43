import { expect, test } from 'bun:test'
import { concurrencyLimit } from './concurrency-limit.ts'

function heldOpen() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { held: promise, finish: resolve }
}

function refusalOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}

test('as many as fit are let in, the next is refused at once, and room is given back however the work ends', async () => {
  const admitted = concurrencyLimit({ max: 2, maxPerOrganization: 2 })
  const { held, finish } = heldOpen()
  const first = admitted.run('a', () => held)
  const second = admitted.run('b', async () => {
    await held
    throw new Error('failed')
  })
  expect(admitted.running()).toBe(2)
  expect(admitted.isFull()).toBe(true)
  expect(refusalOf(() => admitted.run('c', async () => 'late'))).toMatchObject({
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

test('nobody takes all of the room: beyond their share they are refused and others are let in', async () => {
  const admitted = concurrencyLimit({ max: 4, maxPerOrganization: 2 })
  const { held, finish } = heldOpen()
  const greedy = [admitted.run('greedy', () => held), admitted.run('greedy', () => held)]
  expect(refusalOf(() => admitted.run('greedy', () => held))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(admitted.isFull()).toBe(false)
  expect(await admitted.run('other', async () => 'served')).toBe('served')
  finish()
  await Promise.all(greedy)
  expect(await admitted.run('greedy', async () => 'again')).toBe('again')
})

test('of a share of the room as many are let in as fit into that, and those who are in stay', async () => {
  let share = 1
  const admitted = concurrencyLimit({ max: 4, maxPerOrganization: 2, factor: () => share })
  const { held, finish } = heldOpen()
  const first = [admitted.run('a', () => held), admitted.run('b', () => held)]
  expect(admitted.isNearLimit()).toBe(true)
  expect(admitted.isFull()).toBe(false)
  share = 0.5
  expect(admitted.isFull()).toBe(true)
  expect(refusalOf(() => admitted.run('c', () => held))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(admitted.running()).toBe(2)
  share = 1
  expect(await admitted.run('c', async () => 'served')).toBe('served')
  finish()
  await Promise.all(first)
})
