import { expect, test } from 'bun:test'
import { type DeliveryEndpoint, type DueDelivery, deliveryQueue, type TakenDelivery } from './delivery-queue.ts'

const endpoint = (organizationId: string, at: number): DeliveryEndpoint => ({
  id: `${organizationId}-${at}`,
  organizationId,
  url: 'https://hooks.example/',
  secret: '',
  previousSecret: null,
  previousUntil: null,
  tier: 'enterprise',
})
const endpointsOf = (organizationId: string, count: number) =>
  Array.from({ length: count }, (_, at) => endpoint(organizationId, at))
const due = (endpointId: string, count: number): DueDelivery[] =>
  Array.from({ length: count }, (_, at) => ({
    endpointId,
    id: null,
    revision: at + 1,
    ordinal: 1,
    type: 'price.moved',
    subject: `variant ${at}`,
    data: '{}',
    createdAt: 0,
    attempts: 0,
  }))

function queueOf(endpoints: readonly DeliveryEndpoint[], perEndpoint: number) {
  const queue = deliveryQueue()
  queue.setEndpoints(endpoints)
  for (const { id } of endpoints) queue.add(id, due(id, perEndpoint))
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
    queue.add(shop.id, due(shop.id, 1))
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
  queue.add(shop.id, due(shop.id, 1))
  expect(queue.take()?.endpoint.organizationId).toBe('shop')
})

test('organizations take turns, whatever the length of their queues', () => {
  const [large, small] = [endpoint('large', 0), endpoint('small', 0)]
  const { queue, takeAll } = queueOf([large, small], 0)
  queue.add(large.id, due(large.id, 90))
  queue.add(small.id, due(small.id, 3))
  const order: string[] = []
  for (let round = 0; round < 4; round++) {
    for (const taken of takeAll()) {
      order.push(taken.endpoint.organizationId)
      queue.finish(taken, FAST)
    }
  }
  expect(order.slice(0, 6).toSorted()).toEqual(['large', 'large', 'large', 'small', 'small', 'small'])
})

test('a delivery that is queued or in flight is not queued again', () => {
  const only = endpoint('shop', 0)
  const { queue, takeAll } = queueOf([only], 3)
  expect(takeAll()).toHaveLength(1)
  queue.add(only.id, due(only.id, 3))
  expect(queue.readLimit(only.id)).toBe(4 + 2 + 1)
})

test('what is queued for an endpoint that was disabled or removed is not sent', () => {
  const { queue, takeAll } = queueOf(endpointsOf('shop', 2), 3)
  queue.setEndpoints([endpoint('shop', 1)])
  expect(takeAll().map(({ endpoint: { id } }) => id)).toEqual(['shop-1'])
})
