import { describe, expect, test } from 'bun:test'
import type { AppraisalPreviewWire } from '../../../src/contract/appraisal.ts'
import { exampleAppraisal, exampleRejectedAppraisal } from '../../../src/contract/examples.ts'
import { negotiationBasis, negotiationScale, outlookAt } from './negotiation-outlook.ts'

const tradeIn = { amount: 9_200, low: 7_800, high: 10_900 }
const preview = (appraisal: typeof exampleAppraisal): AppraisalPreviewWire => ({
  ...appraisal,
  grades: [],
  trade_in: tradeIn,
})
const basis = negotiationBasis(preview(exampleAppraisal))
if (!basis) throw new Error('the example has an offer')
const plan = exampleAppraisal.plans?.find(({ plan }) => plan === exampleAppraisal.offer.plan)

describe('a negotiation', () => {
  test('agrees with the plan at the maximum offer', () => {
    const { profit, profitLow, profitHigh, lossProbability } = outlookAt(basis, basis.maxOffer)
    expect({ profit, low: profitLow, high: profitHigh }).toEqual({
      profit: plan?.expected_profit ?? 0,
      low: plan?.range.low ?? 0,
      high: plan?.range.high ?? 0,
    })
    expect(lossProbability).toBeCloseTo(plan?.loss_probability ?? 0, 2)
  })

  test('never improves with a higher price, while more competitors are outbid', () => {
    const { from, to } = negotiationScale(basis)
    for (let price = from; price < to; price += basis.step) {
      const [less, more] = [outlookAt(basis, price), outlookAt(basis, price + basis.step)]
      expect(more.profit).toBe(less.profit - basis.step)
      expect(more.lossProbability).toBeGreaterThanOrEqual(less.lossProbability)
      expect(more.beaten ?? 0).toBeGreaterThanOrEqual(less.beaten ?? 0)
    }
  })

  test('has a scale with every relevant price', () => {
    const { from, to } = negotiationScale(basis)
    for (const price of [basis.recommendedOffer, basis.maxOffer, basis.proceeds.median, tradeIn.low, tradeIn.high]) {
      expect(price).toBeGreaterThanOrEqual(from)
      expect(price).toBeLessThanOrEqual(to)
    }
  })

  test('describes where a price lies', () => {
    const standings = [basis.recommendedOffer, basis.maxOffer, basis.maxOffer + 100, basis.proceeds.median + 100]
    expect(standings.map((price) => outlookAt(basis, price).standing)).toEqual([
      'recommended',
      'within_policy',
      'above_limit',
      'expected_loss',
    ])
  })

  test('does not exist for a device that must not be bought', () => {
    expect(negotiationBasis(preview(exampleRejectedAppraisal))).toBeNull()
  })
})
