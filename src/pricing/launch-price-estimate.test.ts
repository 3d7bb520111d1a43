import { expect, test } from 'bun:test'
import { sampleDevice } from '../../test/support/device.ts'
import type { Device, Variant } from '../catalog/device.ts'
import { toDeviceInput } from './configuration.ts'

const device = (name: string, releasedOn: string | null, ...variants: Partial<Variant>[]): Device =>
  sampleDevice('Acme', name, {
    ...{
      id: name.toLowerCase().replaceAll(' ', '-'),
      releasedOn,
      releasePrecision: releasedOn === null ? null : 'day',
    },
    variants: variants.map((variant, at) => ({ id: `${name}-${at}`, listCents: 0, attributes: [], ...variant })),
  })

const storage = (value: string) => [{ name: 'storage', value }]
const LINE = [
  device('Note 10', '2022-01-01', { listCents: 20_000 }),
  device('Note 11', '2023-01-01', { listCents: 22_000 }),
  device('Note 12', '2024-01-01', { listCents: 24_000 }),
  device('Note 11 Pro', '2023-01-01', { listCents: 35_000 }),
  device('Note 12 Pro', '2024-01-01', { listCents: 37_000 }),
  device('Ultra 5', '2024-01-01', { listCents: 120_000 }),
]
const registry = (...devices: Device[]) => ({
  findDevice: () => undefined,
  findVariant: () => undefined,
  listDevicesOfCategory: (category: string) => devices.filter((one) => one.category === category),
})
const factsOf = (one: Device, ...others: Device[]) => toDeviceInput(one, registry(one, ...others))
const leastOf = (one: Device, ...others: Device[]) =>
  Math.min(...factsOf(one, ...others).variants.flatMap(({ listCents }) => listCents ?? []))

test('a list price is used without additional uncertainty', () => {
  const facts = factsOf(device('Note 13', '2025-01-01', { listCents: 30_000 }), ...LINE)
  expect(facts.variants[0]?.listCents).toBe(30_000)
  expect(facts.launchPriceSpread).toBeUndefined()
})

test('a price announced in another country replaces a missing list price, with more uncertainty', () => {
  const facts = factsOf(device('Note 13', '2025-01-01', { announcedCents: 26_000 }), ...LINE)
  expect(facts.variants[0]?.listCents).toBe(26_000)
  expect(facts.launchPriceSpread).toBeGreaterThan(0.1)
})

test('a device without a price is estimated from similar devices of its line', () => {
  const plain = leastOf(device('Note 13', '2025-01-01', {}), ...LINE)
  const pro = leastOf(device('Note 13 Pro', '2025-01-01', {}), ...LINE)
  expect(plain).toBeGreaterThanOrEqual(20_000)
  expect(plain).toBeLessThanOrEqual(37_000)
  expect(pro).toBeGreaterThanOrEqual(plain)
  expect(pro).toBeLessThan(120_000)
})

test('a stored fit is read instead of the devices, and gives the same estimates', () => {
  const stored = new Map<string, string>()
  const derived = {
    readDerived: (name: string) => stored.get(name),
    storeDerived: (name: string, json: string) => void stored.set(name, json),
  }
  const one = device('Note 13', '2025-01-01', {})
  const fitted = toDeviceInput(one, { ...registry(one, ...LINE), ...derived })
  const listed: string[] = []
  const listDevicesOfCategory = (category: string) => {
    listed.push(category)
    return []
  }
  expect(toDeviceInput(one, { ...registry(), listDevicesOfCategory, ...derived })).toEqual(fitted)
  expect(listed).toEqual([])
})

test('the smallest variant has the price of the line, and storage sets the others', () => {
  const one = device('Note 13', '2025-01-01', { attributes: storage('256GB') }, { attributes: storage('128GB') })
  const { variants, launchPriceSpread: basisSpread } = factsOf(one, ...LINE)
  expect(variants.map(({ listCents }) => listCents === null)).toEqual([true, false])
  expect(basisSpread).toBeGreaterThanOrEqual(0.2)
})

test('a device without a release date keeps its price and counts as the newest of its line', () => {
  const { variants, releasedAt } = factsOf(device('Note 13', null, { listCents: 30_000 }), ...LINE)
  expect(variants[0]?.listCents).toBe(30_000)
  expect(releasedAt).toBe(Date.parse('2024-01-01'))
})

test('a make without any price is priced by its category, with more uncertainty', () => {
  const others = LINE.map((one) => ({ ...one, make: 'Other' }))
  const described = { ...device('Note 13', '2025-01-01', {}), specifications: { memory: '8GB', storage: '128GB' } }
  const unknown = factsOf(described, ...others)
  const known = factsOf(described, ...LINE)
  expect(unknown.variants[0]?.listCents).toBeGreaterThan(0)
  expect(unknown.launchPriceSpread ?? 0).toBeGreaterThan(2 * (known.launchPriceSpread ?? 0))
})

test('a make without any price, and no specifications or date, gives no price', () => {
  const others = LINE.map((one) => ({ ...one, make: 'Other' }))
  const specifications = { memory: '8GB', storage: '128GB' }
  for (const bare of [device('Note 13', '2025-01-01', {}), { ...device('Note 13', null, {}), specifications }]) {
    expect(factsOf(bare, ...others).variants[0]?.listCents).toBeNull()
  }
})

test('another category gives no price', () => {
  const others = LINE.map((one) => ({ ...one, category: 'Tablet' }))
  expect(factsOf(device('Note 13', '2025-01-01', {}), ...others).variants[0]?.listCents).toBeNull()
})

test('more memory, storage and a better display raise the estimate', () => {
  const devices = [4, 6, 8, 12, 16].flatMap((memory) =>
    ['a', 'b'].map((line) => ({
      ...device(`${line} ${memory}`, '2023-01-01', { listCents: memory * 5_000 }),
      specifications: { memory: `${memory}GB`, storage: `${memory * 32} GB`, display: '6.5-inch OLED' },
    })),
  )
  const estimateOf = (memory: number) => {
    const specifications = { memory: `${memory} GB, 24 GB`, storage: `${memory * 32}GB`, display: '6.5-inch OLED' }
    return leastOf({ ...device('New 1', '2023-01-01', {}), specifications }, ...devices)
  }
  expect(estimateOf(12)).toBeGreaterThan(1.5 * estimateOf(6))
})

test('a model is priced like the models of its class, not like the whole line', () => {
  const line = [2022, 2023, 2024].flatMap((year, at) =>
    [0, 1, 2, 3, 5].map((tens) =>
      device(`Galaxy A${tens}${at + 4}`, `${year}-01-01`, { listCents: 15_000 + tens * 7_000 }),
    ),
  )
  const estimate = leastOf(device('Galaxy A57', '2025-01-01', {}), ...line)
  expect(estimate).toBeGreaterThan(38_000)
  expect(estimate).toBeLessThan(60_000)
})

test('a model that was just announced without specifications costs what its predecessor did', () => {
  const described = (one: Device): Device => ({
    ...one,
    specifications: { display: '6.1-inch OLED, 1080 x 2400, 120 Hz', memory: '8GB', storage: '128GB' },
  })
  const line = LINE.map(described)
  expect(leastOf(device('Note 13 Pro', '2025-01-01', {}), ...line)).toBe(37_000)
  expect(leastOf(device('Note 13', '2025-01-01', {}), ...line)).toBe(24_000)
  // Without a predecessor nothing but the line is known.
  const other = factsOf(device('Note Fold', '2025-01-01', {}), ...line)
  expect(other.launchPriceSpread).toBeGreaterThanOrEqual(0.6)
})

test('a second generation belongs to the class of the first', () => {
  const first = device('Ultra', '2023-01-01', { listCents: 90_000 })
  const second = leastOf(device('Ultra 2', '2025-01-01', {}), first, ...LINE.filter(({ name }) => name !== 'Ultra 5'))
  expect(second).toBeGreaterThan(55_000)
})

test('a stored fit gives the same estimate as a new one', () => {
  const stored = new Map<string, string>()
  const one = device('Note 13', '2025-01-01', {})
  const opened = () => ({
    ...registry(one, ...LINE),
    readDerived: (name: string) => stored.get(name),
    storeDerived: (name: string, value: string) => stored.set(name, value),
  })
  const fitted = toDeviceInput(one, opened())
  expect(stored.size).toBe(1)
  expect(toDeviceInput(one, opened())).toEqual(fitted)
  expect(fitted.variants[0]?.listCents).toBeGreaterThan(0)
})
