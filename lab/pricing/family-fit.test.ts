import { expect, test } from 'bun:test'
import { curveShift } from '../../src/pricing/model/prior.ts'
import { type CurveDeviation, curveAt, fitCurve, fitShifts, START_SHIFTS, shiftError } from './family-fit.ts'

const gap = (family: CurveDeviation['family'], age: number, more: number): CurveDeviation => ({
  set: 'shops_vn_2024',
  moment: 0,
  at: Date.parse('2026-01-01'),
  isForeign: true,
  family,
  make: family,
  age,
  // In this country everything costs a third more.
  deviation: 0.3 + curveShift(START_SHIFTS[family], age, Date.parse('2026-01-01')) + more,
  weight: 100,
})

const all = Array.from({ length: 40 }, (_, at) => [
  gap('iphone', at / 10, 0),
  gap('mid-range', at / 10, 0.12),
  gap('foldable', at / 10, 0),
]).flat()

test('a family is fitted together with the iPhones of the same shops, and a fixed family stays unchanged', () => {
  const fitted = fitShifts(all, ['mid-range'])
  expect(curveShift(fitted['mid-range'], 2, 0) - curveShift(START_SHIFTS['mid-range'], 2, 0)).toBeWithin(0.06, 0.14)
  expect(fitted.foldable).toMatchObject({ ...START_SHIFTS.foldable })
  const own = (row: CurveDeviation) => row.family === 'mid-range'
  expect(shiftError(all, own, START_SHIFTS).bias).toBeWithin(-0.13, -0.1)
  expect(shiftError(all, own, fitted).error).toBeLessThan(0.06)
})

test('a curve follows the prices of models of many ages', () => {
  const models = Array.from({ length: 30 }, (_, at) => ({
    deviceId: `${at}`,
    age: at / 3,
    share: Math.log(0.8) - 0.2 * (at / 3),
    rows: 3,
  }))
  for (const age of [1, 4, 8]) expect(curveAt(fitCurve(models), age)).toBeWithin(-0.32 - 0.2 * age, -0.13 - 0.2 * age)
})
