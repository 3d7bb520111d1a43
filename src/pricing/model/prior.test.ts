import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { YEAR_MS } from '../../lib/time.ts'
import type { DeviceInput } from './observation.ts'
import { curveLevel, storageSteps } from './prior.ts'
import { PRIOR_COEFFICIENTS } from './prior-coefficients.ts'

const device = (variants: [number, number][]): DeviceInput => ({
  deviceId: 'd',
  make: 'Apple',
  category: 'Smartphones',
  releasedAt: Date.parse('2020-09-20'),
  variants: variants.map(([storageGb, dollars]) => ({
    variantId: `${storageGb}`,
    storageGb,
    listCents: dollars * 100,
  })),
})

test('launch prices give the steps between storages', () => {
  const {
    lnLaunchPrice: list,
    doublings,
    baseLn,
  } = storageSteps(
    device([
      [64, 699],
      [128, 749],
      [256, 849],
    ]),
  )
  expect(list[0]).toBe(0)
  expect(list[2]).toBeCloseTo(Math.log(849 / 699), 9)
  expect([...doublings]).toEqual([0, 1, 2])
  expect(baseLn).toBeCloseTo(Math.log(69_900), 9)
})

test('a size added later at a lower price is placed by its storage', () => {
  const { lnLaunchPrice: list, baseLn } = storageSteps(
    device([
      [16, 649],
      [32, 549],
      [64, 749],
      [128, 849],
    ]),
  )
  expect(baseLn).toBeCloseTo(Math.log(64_900), 9)
  expect(list[1] as number).toBeGreaterThan(0)
  expect(list[1] as number).toBeLessThan(list[2] as number)
})

test('a variant with unknown storage is priced like the smallest, not like 1 GB', () => {
  const { variants, ...rest } = device([
    [512, 299],
    [1024, 349],
  ])
  const steps = storageSteps({
    ...rest,
    variants: [{ variantId: 'any', storageGb: null, listCents: null }, ...variants],
  })
  expect(steps.baseLn).toBeCloseTo(Math.log(29_900), 9)
  expect([...steps.lnLaunchPrice.slice(0, 2)]).toEqual([0, 0])
  expect(steps.lnLaunchPrice[2]).toBeCloseTo(Math.log(349 / 299), 9)
  expect([...steps.doublings]).toEqual([0, 0, 1])
})

test('variants without list prices differ by their storage alone', () => {
  const { lnLaunchPrice: list, baseLn } = storageSteps(
    device([
      [64, 0],
      [256, 0],
    ]),
  )
  expect(baseLn).toBeNull()
  expect(list[1] as number).toBeGreaterThan(0.1)
})

test('older devices are cheaper, and none costs more than new', () => {
  const phone = device([[64, 699]])
  let above = Math.log(69_900)
  for (const day of ['2020-10-01', '2021-09-20', '2023-09-20', '2026-09-20', '2034-09-20']) {
    const level = curveLevel(phone, Date.parse(day), PRIOR_COEFFICIENTS) as number
    expect(level).toBeLessThan(above)
    above = level
  }
})

test('without launch price or release day there is no curve', () => {
  expect(curveLevel(device([[64, 0]]), 0, PRIOR_COEFFICIENTS)).toBeNull()
  expect(curveLevel({ ...device([[64, 699]]), releasedAt: null }, 0, PRIOR_COEFFICIENTS)).toBeNull()
})

test('a console keeps more of its price than a phone of the same age', () => {
  const phone = device([[64, 699]])
  const at = Date.parse('2026-09-20')
  const console = curveLevel({ ...phone, category: 'Game Console' }, at, PRIOR_COEFFICIENTS) as number
  expect(console).toBeGreaterThan((curveLevel(phone, at, PRIOR_COEFFICIENTS) as number) + 0.5)
})

const CATEGORIES = [
  'Smartphone',
  'Tablet',
  'Laptop',
  'Desktop',
  'Smartwatch',
  'Fitness Tracker',
  'Game Console',
  'VR Headset',
  'Camera',
  'Action Camera',
  'Drone',
  'Headphones',
  'Earbuds',
  'Smart Speaker',
  'E-Reader',
  'Streaming Player',
  'Graphics Card',
  'Other',
]
const anyThing = fc.record({
  make: fc.constantFrom('Apple', 'Samsung', 'Garmin', 'Acme'),
  category: fc.constantFrom(...CATEGORIES),
  deviceId: fc.constantFrom('one', 'acme-fold'),
  dollars: fc.integer({ min: 30, max: 7_000 }),
})
const RELEASED = Date.parse('2020-09-20')
const good = (
  { dollars, ...facts }: { make: string; category: string; deviceId: string; dollars: number },
  years: number,
) => {
  const one = {
    ...facts,
    releasedAt: RELEASED,
    variants: [{ variantId: 'any', storageGb: null, listCents: dollars * 100 }],
  }
  return Math.exp(curveLevel(one, RELEASED + years * YEAR_MS, PRIOR_COEFFICIENTS) as number) / (dollars * 100)
}
const [, EXCELLENT = 0, , FAIR = 0] = PRIOR_COEFFICIENTS.resaleByGrade

test('a working device of any family keeps 4 % of its price for ten years, and a used one costs at most 92 % of it', () => {
  fc.assert(
    fc.property(anyThing, fc.double({ min: 0, max: 10, noNaN: true }), (one, years) => {
      const share = good(one, years)
      expect(share * Math.exp(FAIR)).toBeGreaterThanOrEqual(0.04)
      expect(share * Math.exp(EXCELLENT)).toBeLessThanOrEqual(0.92 + 1e-9)
    }),
  )
})

test('prices of every family fall with age', () => {
  fc.assert(
    fc.property(anyThing, fc.integer({ min: 0, max: 9 }), (one, years) => {
      expect(good(one, years + 1)).toBeLessThanOrEqual(good(one, years))
    }),
  )
})

test('prices of devices other than phones are proportional to the launch price', () => {
  const player = { make: 'Acme', category: 'Streaming Player', deviceId: 'one' }
  expect(good({ ...player, dollars: 200 }, 6)).toBeCloseTo(good({ ...player, dollars: 30 }, 6), 9)
})
