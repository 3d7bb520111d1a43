import { expect, test } from 'bun:test'
import type { VariantWire } from '../../../src/contract/variant.ts'
import { groupConfigurations } from './configurations.ts'

const variant = (id: string, attributes: Record<string, string>, disabled = false): VariantWire => ({
  id,
  sku: id,
  price: disabled ? 0 : 50_000,
  price_source: disabled ? 'unknown' : 'list',
  list_prices: [],
  name: id,
  part_numbers: [],
  model_numbers: [],
  thumbnail: '/t.svg',
  attributes: Object.entries(attributes).map(([attribute_name, attribute_value]) => ({
    attribute_name,
    attribute_value,
  })),
  disabled,
})

test('colours are merged, storage sizes stay separate, in the order of the catalogue', () => {
  const configurations = groupConfigurations([
    variant('a', { storage: '128GB', color: 'Blue' }),
    variant('b', { storage: '128GB', color: 'Red' }),
    variant('c', { storage: '256GB', color: 'Blue' }),
  ])
  expect(configurations.map(({ name, colours }) => [name, colours])).toEqual([
    ['128GB', ['Blue', 'Red']],
    ['256GB', ['Blue']],
  ])
})

test('memory is labelled as memory', () => {
  const [one] = groupConfigurations([variant('a', { ram: '8GB', storage: '128GB', color: 'Blue' })])
  expect(one?.name).toBe('8GB RAM, 128GB')
})

test('a variant with observed prices represents its configuration', () => {
  const [one] = groupConfigurations([
    variant('a', { storage: '64GB', color: 'Blue' }, true),
    variant('b', { storage: '64GB', color: 'Red' }),
  ])
  expect(one?.variant.id).toBe('b')
})

test('a device with nothing but a colour has one configuration', () => {
  const configurations = groupConfigurations([variant('a', { color: 'Blue' }), variant('b', { color: 'Red' })])
  expect(configurations).toHaveLength(1)
})
