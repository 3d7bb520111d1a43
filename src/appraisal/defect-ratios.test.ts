import { describe, expect, test } from 'bun:test'
import { DEFECT_GRADES } from '../catalog/grade.ts'
import type { DefectCode } from '../contract/defects.ts'
import { defectRules } from './defect.ts'
import { defectivePrices, refineRatios, tradeInDefectRatios } from './defect-ratios.ts'

const PHONES: Parameters<typeof tradeInDefectRatios>[0][] = [
  { make: 'Apple', category: 'Smartphone', specifications: {} },
  { make: 'Samsung', category: 'Smartphone', specifications: {} },
  { make: 'Sony', category: 'Game Console', specifications: {} },
]
const estimate = (median: number) => ({ median, low: 0.8 * median, high: 1.2 * median })
const WORKING = { Excellent: estimate(280), Good: estimate(265), Fair: estimate(240), Poor: estimate(170) }
const IPHONE = tradeInDefectRatios({ make: 'Apple', category: 'Smartphone', specifications: {} }, 20_000)
const good = (...codes: DefectCode[]) => defectivePrices(WORKING, defectRules(codes), IPHONE).Good.median

test('learned ratios keep their order at every price: damaged, broken, dead', () => {
  for (const device of PHONES) {
    for (let cents = 100; cents < 300_000; cents *= 1.3) {
      const ratios = tradeInDefectRatios(device, cents)
      const [damaged, broken, dead] = DEFECT_GRADES.map((state) => ratios[state]) as [number, number, number]
      expect(damaged).toBeLessThan(1)
      expect(broken).toBeLessThan(damaged)
      expect(dead).toBeLessThan(broken)
      expect(dead).toBeGreaterThan(0.1)
    }
  }
})

test('a dead or broken foldable keeps less than another phone of its price', () => {
  const flat = tradeInDefectRatios({ make: 'Samsung', category: 'Smartphone', specifications: {} }, 45_000)
  const specifications = { display: '7.6-inch foldable OLED' }
  const foldable = tradeInDefectRatios({ make: 'Samsung', category: 'Smartphone', specifications }, 45_000)
  expect(foldable.dead / flat.dead).toBeCloseTo(1 / 1.53, 1)
  expect(foldable.broken / flat.broken).toBeCloseTo(1 / 1.22, 1)
  expect(foldable.damaged).toBeLessThan(flat.damaged)
})

describe('a defective device', () => {
  test('costs much less with a weak battery than with a cracked screen', () => {
    const lost = (code: DefectCode) => WORKING.Good.median - good(code)
    expect(lost('weak_battery')).toBeLessThan(0.5 * lost('cracked_screen'))
  })

  test('is never worth less than a dead one, however many defects it has', () => {
    const dead = good('no_power')
    const many = good('cracked_screen', 'cracked_back', 'weak_battery', 'camera', 'charging_port', 'radio', 'buttons')
    expect(many).toBeGreaterThan(dead)
    expect(many).toBeLessThan(good('cracked_screen', 'cracked_back'))
    expect(good('no_power', 'cracked_screen')).toBe(dead)
    expect(dead).toBeCloseTo(WORKING.Good.median * IPHONE.dead, 6)
  })

  test('is less certain in price than a working one', () => {
    const { median, low, high } = defectivePrices(WORKING, defectRules(['cracked_screen']), IPHONE).Good
    expect(low / median).toBeLessThan(0.8)
    expect(high / median).toBeGreaterThan(1.2)
  })
})

describe('observed prices of defective devices', () => {
  const expected = { resale: IPHONE, buyback: IPHONE }
  const observed = (ratio: number, count: number) =>
    Array.from({ length: count }, () => ({ grade: 'dead', side: 'buyback', ratio }) as const)

  test('move the ratios of their state, the more the more there are, on both sides', () => {
    const few = refineRatios(expected, observed(2 * IPHONE.dead, 1)).buyback.dead
    const many = refineRatios(expected, observed(1.5 * IPHONE.dead, 500))
    expect(few).toBeGreaterThan(IPHONE.dead)
    expect(few).toBeLessThan(1.2 * IPHONE.dead)
    expect(many.buyback.dead).toBeCloseTo(1.5 * IPHONE.dead, 2)
    expect(many.resale.dead).toBeCloseTo(1.5 * IPHONE.dead, 2)
    expect(many.buyback.damaged).toBe(IPHONE.damaged)
  })

  test('never reverse the order of the states', () => {
    const { damaged, broken, dead } = refineRatios(expected, observed(5, 500)).buyback
    expect(dead).toBeLessThanOrEqual(broken)
    expect(broken).toBeLessThanOrEqual(damaged)
  })
})
