import { expect, test } from 'bun:test'
import { sampleDevice } from '../../test/support/device.ts'
import { registryWith } from '../../test/support/registry.ts'
import type { DeviceSort } from '../contract/device.ts'
import { listDevices } from '../contract/device-endpoints.ts'
import { deviceListPage, parseDeviceListQuery } from './list-pages.ts'

const priced = (name: string, listCents: number, releasedOn: string) =>
  sampleDevice('Acme', name, { releasedOn, variants: [{ listCents: listCents && listCents + 500 }, { listCents }] })
const devices = [
  priced('Phone 10', 30_000, '2024-01-01'),
  priced('Phone 9', 0, '2023-01-01'),
  priced('phone 2', 10_000, '2022-01-01'),
  priced('Tab 1', 20_000, '2021-01-01'),
]
const registry = await registryWith(devices)

function names(sort: DeviceSort, query: Record<string, string> = {}, firstIds: string[] = []): string[] {
  const first = firstIds.flatMap((id) => registry.findDeviceNumber(id) ?? [])
  const request = parseDeviceListQuery(listDevices.query.parse(query))
  const { data } = deviceListPage(registry, request, sort === 'frequent' ? { first } : { sort })
  return JSON.parse(new TextDecoder().decode(data)).map(({ name }: { name: string }) => name)
}

test('names are sorted naturally: ignoring case, and numbers by value', () => {
  expect(names('name')).toEqual(['phone 2', 'Phone 9', 'Phone 10', 'Tab 1'])
})

test('devices without a list price come last, whether the lowest or the highest price is first', () => {
  expect(names('price_low')).toEqual(['phone 2', 'Tab 1', 'Phone 10', 'Phone 9'])
  expect(names('price_high')).toEqual(['Phone 10', 'Tab 1', 'phone 2', 'Phone 9'])
})

test('the most appraised devices come first, then the others in the usual order', () => {
  expect(names('frequent', {}, ['acme-tab-1', 'no-such-device'])).toEqual(['Tab 1', 'Phone 10', 'Phone 9', 'phone 2'])
})

test('the order applies to the matches of a search and to pages', () => {
  expect(names('price_low', { search: 'phone' })).toEqual(['phone 2', 'Phone 10', 'Phone 9'])
  expect(names('price_low', { search: 'phone', page: '2', limit: '2' })).toEqual(['Phone 9'])
})
