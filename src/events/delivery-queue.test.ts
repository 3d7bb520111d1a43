import { expect, test } from 'bun:test'
import { type DeliveryEndpoint, type DueDelivery, deliveryQueue, type TakenDelivery } from './delivery-queue.ts'

const endpoint = (organizationId: string, at: number): DeliveryEndpoint => ({
  id: `${organizationId}-${at}`,
  organizationId,
  url: 'https://hooks.example/',
  secret: '',
  previousSecret: null,
  previousUntil: null,
})
const endpointsOf = (organizationId: string, count: number) =>
  Array.from({ length: count }, (_, at) => endpoint(organizationId, at))
const due = (endpointId: string, count: number): DueDelivery[] =>
  Array.from({ length: count }, (_, at) => ({
    endpointId,
    id: `evt_${at + 1}`,
    revision: at + 1,
    ordinal: 1,
    type: 'price.moved',
    subject: `variant ${at}`,
    data: '{}',
    createdAt: 0,
    attempts: 0,
    tier: 'enterprise',
  }))

function queueOf(endpoints: readonly DeliveryEndpoint[], perEndpoint: number) {
  const queue = deliveryQueue()
  queue.setEndpoints(endpoints)
  for (const { id } of endpoints) queue.add(due(id, perEndpoint))
  const takeAll = () => {
    const taken: TakenDelivery[] = []
    for (let next = queue.take(); next; next = queue.take()) taken.push(next)
    return taken
  }
  return { queue, takeAll }
}

const FAST = { isAccepted: true, tookMs: 5 }
const SLOW = { isAccepted: true, tookMs: 14_000 }

test('twenty slow receivers of one organization leave a slot for another organization', () => {
  const endpoints = endpointsOf('slow', 20)
  const { queue, takeAll } = queueOf(endpoints, 10)
  // First calls, and then again once all are known to be slow.
  for (const isFirst of [true, false]) {
    const hanging = takeAll()
    expect(hanging.length).toBeLessThan(20)
    const shop = endpoint('shop', isFirst ? 1 : 2)
    queue.setEndpoints([...endpoints, shop])
    queue.add(due(shop.id, 1))
    expect(queue.take()?.endpoint.organizationId).toBe('shop')
    for (const taken of hanging) queue.finish(taken, SLOW)
  }
})

test('slow endpoints of many organizations together never use all slots', () => {
  const endpoints = Array.from({ length: 50 }, (_, at) => endpoint(`slow${at}`, 0))
  const { queue, takeAll } = queueOf(endpoints, 10)
  for (const taken of takeAll()) queue.finish(taken, SLOW)
  expect(takeAll().length).toBeLessThan(40)
  const shop = endpoint('shop', 0)
  queue.setEndpoints([...endpoints, shop])
  queue.add(due(shop.id, 1))
  expect(queue.take()?.endpoint.organizationId).toBe('shop')
})

test('organizations take turns, whatever the length of their queues', () => {
  const [large, small] = [endpoint('large', 0), endpoint('small', 0)]
  const { queue, takeAll } = queueOf([large, small], 0)
  queue.add(due(large.id, 90))
  queue.add(due(small.id, 3))
  const order: string[] = []
  for (let round = 0; round < 4; round++) {
    for (const taken of takeAll()) {
      order.push(taken.endpoint.organizationId)
      queue.finish(taken, FAST)
    }
  }
  expect(order.slice(0, 6).toSorted()).toEqual(['large', 'large', 'large', 'small', 'small', 'small'])
})

test('one delivery of a new or slow endpoint is read in advance, and 100 of a fast one', () => {
  const only = endpoint('shop', 0)
  const { queue } = queueOf([only], 0)
  const limitAfter = (call: { isAccepted: boolean; tookMs: number }) => {
    queue.add(due(only.id, 1))
    const taken = queue.take()
    if (!taken) throw new Error('nothing was taken')
    queue.finish(taken, call)
    queue.settled(taken.delivery)
    return queue.beginRead()[0]?.limit
  }
  expect(queue.beginRead()).toEqual([{ endpointId: only.id, limit: 1 }])
  expect(limitAfter(FAST)).toBe(100)
  expect(limitAfter(SLOW)).toBe(1)
})

test('after a read that found nothing an endpoint is read again when one of its deliveries is settled', () => {
  const only = endpoint('shop', 0)
  const { queue } = queueOf([only], 1)
  const taken = queue.take()
  if (!taken) throw new Error('nothing was taken')
  expect(queue.beginRead()).toHaveLength(1)
  expect(queue.beginRead()).toEqual([])
  queue.settled(taken.delivery)
  expect(queue.beginRead()).toHaveLength(1)
})

test('a delivery that is queued, in flight or settled during the read is not queued again', () => {
  const only = endpoint('shop', 0)
  const { queue, takeAll } = queueOf([only], 2)
  const [first] = takeAll()
  if (!first) throw new Error('nothing was taken')
  queue.finish(first, FAST)
  // One is not stored yet and one is queued: both are found again.
  expect(queue.beginRead()).toEqual([{ endpointId: only.id, limit: 102 }])
  queue.settled(first.delivery)
  queue.add(due(only.id, 3))
  expect(takeAll().map(({ delivery }) => delivery.id)).toEqual(['evt_2', 'evt_3'])
})

test('reads in advance are limited, except the first of an endpoint', () => {
  const endpoints = endpointsOf('large', 20)
  const { queue, takeAll } = queueOf(endpoints, 1)
  for (let round = 0; round < 2; round++) for (const taken of takeAll()) queue.finish(taken, FAST)
  const requests = queue.beginRead()
  const total = requests.reduce((sum, { limit }) => sum + limit, 0)
  expect(total).toBeLessThanOrEqual(1_000 + 2 * endpoints.length)
  for (const { endpointId, limit } of requests) queue.add(due(endpointId, limit))
  const shop = endpoint('shop', 0)
  queue.setEndpoints([...endpoints, shop])
  expect(queue.beginRead()[0]).toEqual({ endpointId: shop.id, limit: 1 })
})

test('deliveries of a disabled or removed endpoint are not sent', () => {
  const { queue, takeAll } = queueOf(endpointsOf('shop', 2), 3)
  queue.setEndpoints([endpoint('shop', 1)])
  expect(takeAll().map(({ endpoint: { id } }) => id)).toEqual(['shop-1'])
})
