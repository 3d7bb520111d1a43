import { expect, test } from 'bun:test'
import { sampleDevice } from '../../test/support/device.ts'
import { bundledDevices } from './bundled-catalogue-service.ts'
import { slug } from './device.ts'
import { presentDevice } from './present.ts'

test('no name repeats its make, and make and name together give the id; a device may be named like its make', () => {
  for (const device of bundledDevices()) {
    const { id, name, make } = presentDevice(device, '')
    expect(slug(name === make.name ? name : `${make.name} ${name}`)).toBe(id)
    expect(name.toLowerCase().startsWith(`${make.name.toLowerCase()} `)).toBe(false)
  }
})

test('only a date has a precision', () => {
  const presented = (releasedOn: string | null, releasePrecision: 'day' | 'month' | 'year' | null) =>
    presentDevice(sampleDevice('Acme', 'One', { releasedOn, releasePrecision }), '').release_date_precision
  expect(presented('2026-03-01', 'month')).toBe('month')
  expect(presented('2026-03-01', null)).toBe('day')
  expect(presented(null, null)).toBeNull()
  expect(presented(null, 'day')).toBeNull()
})

test('a price is the US list price, else an estimate from another country, else unknown; no price disables a variant', () => {
  const { variants } = presentDevice(
    sampleDevice('Acme', 'One', {
      variants: [
        { listCents: 49_900 },
        { listCents: 0, announcedCents: 41_000, listPrices: [{ market: 'in', currency: 'INR', amount: 39_999 }] },
        { listCents: 0 },
        { listCents: 0, announcedCents: 35_000, listPrices: [{ market: 'kr', currency: 'KRW', amount: 539_000 }] },
      ],
    }),
    '',
  )
  expect(variants.map(({ price, price_source, disabled }) => [price, price_source, disabled])).toEqual([
    [49_900, 'list', false],
    [41_000, 'estimated', false],
    [0, 'unknown', false],
    [35_000, 'estimated', false],
  ])
  expect(variants.map(({ list_prices }) => list_prices)).toEqual([
    [{ market: 'us', currency: 'USD', amount: 49_900 }],
    [{ market: 'in', currency: 'INR', amount: 3_999_900 }],
    [],
    [{ market: 'kr', currency: 'KRW', amount: 539_000 }],
  ])
})
