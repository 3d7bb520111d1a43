import { expect, test } from 'bun:test'
import type { DeviceFacts } from './observation.ts'
import { curveLevel, storageSteps } from './prior.ts'
import { PRIOR_COEFFICIENTS } from './prior-coefficients.ts'

const device = (variants: [number, number][]): DeviceFacts => ({
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
  const { list, doublings, late, baseLn } = storageSteps(
    device([
      [64, 699],
      [128, 749],
      [256, 849],
    ]),
  )
  expect(list[0]).toBe(0)
  expect(list[2]).toBeCloseTo(Math.log(849 / 699), 9)
  expect([...doublings]).toEqual([0, 1, 2])
  expect([...late]).toEqual([0, 0, 0])
  expect(baseLn).toBeCloseTo(Math.log(69_900), 9)
})

test('a size that joined later for less is placed where its storage belongs', () => {
  const { list, late, baseLn } = storageSteps(
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
  expect([...late]).toEqual([0, 1, 0, 0])
})

test('variants without any list price differ by their storage alone', () => {
  const { list, baseLn } = storageSteps(
    device([
      [64, 0],
      [256, 0],
    ]),
  )
  expect(baseLn).toBeNull()
  expect(list[1] as number).toBeGreaterThan(0.1)
})

test('the older, the cheaper, and never dearer than new', () => {
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
