import { expect, test } from 'bun:test'
import { HOUR_MS } from '../../lib/time.ts'
import { PRICING_METHOD } from '../model/method.ts'
import { isRepricingDue } from './repricing-service.ts'

const NOON = Date.UTC(2026, 5, 1, 12)
const NIGHT = Date.UTC(2026, 5, 1, 3, 30)
const fit = (fittedAt: number, observations = 1_000) => [{ method: PRICING_METHOD, fittedAt, observations }]

for (const [why, fits, total, now, due] of [
  ['nothing was observed', [], 0, NOON, false],
  ['nothing was fitted yet', [], 1, NOON, true],
  ['another engine version fitted it', [{ method: 'older', fittedAt: NOON, observations: 1 }], 1, NOON, true],
  ['it is fresh', fit(NOON - HOUR_MS), 1_000, NOON, false],
  ['the rows grew by a quarter', fit(NOON - HOUR_MS), 1_250, NOON, false],
  ['the rows grew by more than a quarter', fit(NOON - HOUR_MS), 1_251, NOON, true],
  ['it is half a day old during the day', fit(NOON - 13 * HOUR_MS), 1_000, NOON, false],
  ['it is half a day old at night', fit(NIGHT - 13 * HOUR_MS), 1_000, NIGHT, true],
  ['it is a day old', fit(NOON - 25 * HOUR_MS), 1_000, NOON, true],
] as const) {
  test(`a full fit is ${due ? '' : 'not '}due when ${why}`, () => expect(isRepricingDue(fits, total, now)).toBe(due))
}
