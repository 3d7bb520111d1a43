import { expect, test } from 'bun:test'
import { sampleDevice } from '../../test/support/device.ts'
import { listDevices } from '../contract/device-endpoints.ts'
import { runToEnd } from '../lib/time-sliced.ts'
import { buildSnapshot } from './snapshot.ts'
import { sortedDevices } from './sorted-devices-service.ts'

const priced = (name: string, listCents: number, releasedOn: string) =>
  sampleDevice('Acme', name, { releasedOn, variants: [{ listCents: listCents && listCents + 500 }, { listCents }] })
const devices = [
  priced('Phone 10', 30_000, '2024-01-01'),
  priced('Phone 9', 0, '2023-01-01'),
  priced('phone 2', 10_000, '2022-01-01'),
  priced('Tab 1', 20_000, '2021-01-01'),
]
const snapshot = runToEnd(buildSnapshot(null, { changed: devices }, 'https://devices.example'))
const sorted = sortedDevices({ snapshot: () => snapshot })

async function names(sort: Parameters<typeof sorted>[1], query: Record<string, string> = {}, first: string[] = []) {
  const { data } = await sorted(listDevices.query.parse(query), sort, first)
  return JSON.parse(new TextDecoder().decode(data)).map(({ name }: { name: string }) => name)
}

test('names are sorted naturally: ignoring case, and numbers by value', async () => {
  expect(await names('name')).toEqual(['phone 2', 'Phone 9', 'Phone 10', 'Tab 1'])
})

test('devices without a list price come last, whether the lowest or the highest price is first', async () => {
  expect(await names('price_low')).toEqual(['phone 2', 'Tab 1', 'Phone 10', 'Phone 9'])
  expect(await names('price_high')).toEqual(['Phone 10', 'Tab 1', 'phone 2', 'Phone 9'])
})

test('the most appraised devices come first, then the others in the usual order', async () => {
  expect(await names('frequent', {}, ['acme-tab-1', 'no-such-device'])).toEqual([
    'Tab 1',
    'Phone 10',
    'Phone 9',
    'phone 2',
  ])
})

test('the order applies to the matches of a search and to pages', async () => {
  expect(await names('price_low', { search: 'phone' })).toEqual(['phone 2', 'Phone 10', 'Phone 9'])
  expect(await names('price_low', { search: 'phone', page: '2', limit: '2' })).toEqual(['Phone 9'])
})
