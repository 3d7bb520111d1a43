import { expect, test } from 'bun:test'
import { type DeliveryEndpoint, type DueDelivery, deliveryQueue, type TakenDelivery } from './delivery-queue.ts'

const endpoint = (organizationId: string, at: number): DeliveryEndpoint => ({
  id: `${organizationId}-${at}`,
  organizationId,
  url: 'https://hooks.example/',
  secret: '',
  previousSecret: null,
  previousUntil: null,
  isDue: true,
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

test('a process claims one delivery of a new or slow endpoint, and at most a second of work or 25 of a fast one', () => {
  const only = endpoint('shop', 0)
  const { queue } = queueOf([only], 0)
  const limitAfter = (call: { isAccepted: boolean; tookMs: number }) => {
    queue.add(due(only.id, 1))
    const taken = queue.take()
    if (!taken) throw new Error('nothing was taken')
    queue.finish(taken, call)
    return queue.claimRequests()[0]?.limit
  }
  expect(queue.claimRequests()).toEqual([{ endpointId: only.id, limit: 1 }])
  expect(limitAfter(FAST)).toBe(25)
  expect(limitAfter({ isAccepted: true, tookMs: 1_000 })).toBe(8)
  expect(limitAfter(SLOW)).toBe(1)
  queue.setEndpoints([{ ...only, isDue: false }])
  expect(queue.claimRequests()).toEqual([])
})

test('after a claim that found nothing an endpoint is claimed again when one of its deliveries is settled', () => {
  const only = endpoint('shop', 0)
  const { queue } = queueOf([only], 1)
  queue.take()
  expect(queue.claimRequests()).toHaveLength(1)
  expect(queue.claimRequests()).toEqual([])
  queue.settled(only.id)
  expect(queue.claimRequests()).toHaveLength(1)
})

test('claims in advance are limited, except the first of an endpoint', () => {
  const endpoints = endpointsOf('large', 20)
  const { queue, takeAll } = queueOf(endpoints, 1)
  for (let round = 0; round < 2; round++) for (const taken of takeAll()) queue.finish(taken, FAST)
  const claimed = queue.claimRequests()
  for (const { endpointId, limit } of claimed) queue.add(due(endpointId, limit))
  expect(queue.queued().length).toBeLessThanOrEqual(1_000 + endpoints.length)
  const shop = endpoint('shop', 0)
  queue.setEndpoints([...endpoints, shop])
  expect(queue.claimRequests()[0]).toEqual({ endpointId: shop.id, limit: 1 })
})

test('deliveries of a disabled or removed endpoint are not sent', () => {
  const { queue, takeAll } = queueOf(endpointsOf('shop', 2), 3)
  expect(queue.setEndpoints([endpoint('shop', 1)])).toHaveLength(3)
  expect(takeAll().map(({ endpoint: { id } }) => id)).toEqual(['shop-1'])
})
