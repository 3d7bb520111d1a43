import { expect, test } from 'bun:test'
import { agreeingTrend, slopePerMonth, trendOf } from './trend.ts'

const line = (perWeek: number, wild?: number) =>
  Array.from({ length: 13 }, (_, week) => ({ week, ln: week === wild ? 3 : week * perWeek }))

test('one outlier week does not change the sign of the slope', () => {
  expect(slopePerMonth(line(-0.005, 6))).toBeCloseTo(-0.005 * (30.4375 / 7), 3)
})

test('three weeks are too few for a trend', () => {
  expect(slopePerMonth(line(-0.01).slice(0, 3))).toBeUndefined()
})

test('a rise is reported only if the variant and its siblings both rose', () => {
  expect(trendOf(0.05, 0.04, -0.02)).toBe('rising')
  expect(trendOf(0.09, -0.001, 0.02)).toBe('stable')
  expect(trendOf(0.05, undefined, 0.02)).toBe('stable')
})

test('a fall is reported, and unknown is reported as unknown', () => {
  expect(trendOf(-0.03, -0.02, -0.02)).toBe('falling')
  expect(trendOf(0.001, -0.002, -0.01)).toBe('stable')
  expect(trendOf(undefined, undefined, -0.02)).toBe('unknown')
})

test('a trend never contradicts the line of prices beside it', () => {
  const over = (change: number) => ({ change, months: 6 })
  expect(agreeingTrend('rising', over(Math.log(138 / 220)))).toBe('falling')
  expect(agreeingTrend('rising', over(-0.01))).toBe('stable')
  expect(agreeingTrend('falling', over(0.05))).toBe('stable')
  expect(agreeingTrend('rising', over(0.05))).toBe('rising')
  expect(agreeingTrend('falling', undefined)).toBe('falling')
})
