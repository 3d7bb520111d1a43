import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { sampleDevice } from '../../test/support/device.ts'
import { appraisalSchema } from '../contract/appraisal.ts'
import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'
import { DEFECT_CODES } from '../contract/defects.ts'
import { exampleLookup } from '../contract/examples.ts'
import { type LookupResultWire, riskLevelOf } from '../contract/lookups.ts'
import { RISK_ACTIONS } from '../contract/policy.ts'
import { US_DOLLARS } from '../currency/exchange.ts'
import type { ConditionValues, VariantValue } from '../pricing/quotes/device-quotes.ts'
import { FAULT_KINDS } from '../repairs/fault-kinds.ts'
import { type AppraisalFacts, appraise } from './appraise.ts'
import type { DefectRatios } from './defect-ratios.ts'
import type { BuyingPolicy } from './policy.ts'
import { presentAppraisal } from './present.ts'
import { EMPTY_READING } from './read-request.ts'
import { type ConvertedRepair, calculateRepairCost } from './repair-cost.ts'

const RUNS = Number(process.env.RUNS ?? 400)
const device = sampleDevice('Test', 'Phone')

/** Amounts keep the order of the grades, as prices do; the width of each range is arbitrary. */
const side: fc.Arbitrary<ConditionValues> = fc
  .tuple(
    fc.integer({ min: 0, max: 200_000 }),
    fc.array(
      fc.tuple(
        fc.double({ min: 0.3, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 2, noNaN: true }),
      ),
      { minLength: 4, maxLength: 4 },
    ),
  )
  .map(([top, steps]) => {
    let amount = top
    const ranges = steps.map(([share, down, up]) => {
      amount = Math.floor(amount * share)
      return { amount, low: Math.floor(amount * (1 - down)), high: Math.ceil(amount * (1 + up)) }
    })
    return Object.fromEntries(CONDITIONS.map((condition, at) => [condition, ranges[at]])) as unknown as ConditionValues
  })

const worth: fc.Arbitrary<VariantValue> = fc.record({
  resale: side,
  buyback: fc.option(side, { nil: null }),
  liquidityScore: fc.integer({ min: 0, max: 100 }),
  driftPerMonth: fc.double({ min: -0.1, max: 0.05, noNaN: true }),
  source: fc.constantFrom('market', 'estimate', 'sample'),
  marketConfidence: fc.integer({ min: 0, max: 100 }),
  market: fc.constant({ code: 'us', basis: 'observed' as const, observations: 100 }),
})

const options: fc.Arbitrary<ConvertedRepair[]> = fc
  .dictionary(
    fc.constantFrom(...FAULT_KINDS),
    fc.record({
      min: fc.integer({ min: 0, max: 20_000 }),
      more: fc.integer({ min: 0, max: 40_000 }),
      minutes: fc.option(fc.integer({ min: 5, max: 240 }), { nil: null }),
    }),
  )
  .map((known) =>
    FAULT_KINDS.flatMap((kind) => {
      const one = known[kind]
      return one ? { kind, name: kind, minutes: one.minutes, parts: { min: one.min, max: one.min + one.more } } : []
    }),
  )

/** States keep their order; the ratio of each is arbitrary. */
const ratios: fc.Arbitrary<DefectRatios> = fc
  .tuple(...[0.3, 0.3, 0.3, 0].map((min) => fc.double({ min, max: 1, noNaN: true })))
  .map(([damaged = 1, broken = 1, dead = 1, halfWidth80 = 0]) => ({
    damaged,
    broken: damaged * broken,
    dead: damaged * broken * dead,
    halfWidth80,
  }))

const action = fc.constantFrom(...RISK_ACTIONS)
const policy: fc.Arbitrary<BuyingPolicy> = fc.record({
  currency: fc.constant('USD'),
  target_margin_percent: fc.double({ min: 0, max: 90, noNaN: true }),
  min_profit: fc.integer({ min: 0, max: 10_000 }),
  selling_fee_percent: fc.double({ min: 0, max: 90, noNaN: true }),
  labour_per_hour: fc.integer({ min: 0, max: 15_000 }),
  holding_cost_per_day: fc.integer({ min: 0, max: 500 }),
  max_loss_probability: fc.double({ min: 0.01, max: 0.5, noNaN: true }),
  action_at_low_risk: action,
  action_at_medium_risk: action,
  action_at_high_risk: action,
  action_at_critical_risk: action,
  action_without_identifier: fc.constant('offer'),
  max_unverified_risk_points: fc.integer({ min: 0, max: 100 }),
  min_confidence: fc.integer({ min: 0, max: 100 }),
  offer_rounding: fc.constantFrom(1, 100, 500),
  clerk_offer_limit: fc.constant(null),
  clerks_see_margins: fc.constant(false),
})

const defects = fc.uniqueArray(fc.constantFrom(...DEFECT_CODES), { maxLength: 6 })
const condition = fc.constantFrom(...CONDITIONS)

function lookupOf(points: readonly number[]): LookupResultWire {
  const codes = ['baseline', 'carrier_locked', 'blacklist_unverified', 'mdm_lock', 'model_mismatch']
  const factors = points.map((each, at) => ({
    code: codes[at % codes.length] as string,
    points: each,
    message: 'x',
    source: 'identifier',
    observed_at: null,
  }))
  const score = Math.min(
    100,
    points.reduce((sum, each) => sum + each, 0),
  )
  return {
    ...exampleLookup,
    recommendation: 'inspect',
    risk_factors: factors,
    risk_score: score,
    risk_level: riskLevelOf(score),
  }
}

/** Facts whose costs follow the labour rate of the policy. */
type AppraisalInput = Omit<AppraisalFacts, 'repairCosts'> & { readonly options: readonly ConvertedRepair[] }

const facts: fc.Arbitrary<AppraisalInput> = fc
  .record({
    value: worth,
    options,
    defectRatios: fc.record({ resale: ratios, buyback: ratios }),
    policy,
    condition: fc.option(condition, { nil: undefined }),
    defects,
  })
  .map((input) => ({
    ...input,
    lookup: null,
    lock: 'unlocked' as const,
    reading: EMPTY_READING,
    knownDeals: [],
    priceRules: [],
    identity: {
      device,
      variants: device.variants.slice(0, 1),
      confidence: 100,
      identifiedBy: 'variant_id' as const,
      attributes: [],
      unresolvedAttributes: [],
      contradictions: [],
      candidates: [],
    },
  }))

const factsOf = ({ options: known, ...input }: AppraisalInput): AppraisalFacts => ({
  ...input,
  repairCosts: new Map(known.map((option) => [option.kind, calculateRepairCost(option, input.policy.labour_per_hour)])),
})
const maxOffer = (input: AppraisalInput) => appraise(factsOf(input)).maxOffer ?? 0
const recommended = (input: AppraisalInput) => appraise(factsOf(input)).recommendedOffer ?? 0

function never(what: string, pair: fc.Arbitrary<[AppraisalInput, AppraisalInput]>) {
  test(`${what} never raises the offer`, () => {
    fc.assert(
      fc.property(pair, ([better, worse]) => {
        expect(maxOffer(worse)).toBeLessThanOrEqual(maxOffer(better))
        expect(recommended(worse)).toBeLessThanOrEqual(recommended(better))
      }),
      { numRuns: RUNS },
    )
  })
}

const more = (least: number, mostMore: number) =>
  fc.tuple(
    fc.double({ min: least, max: least + mostMore, noNaN: true }),
    fc.double({ min: 0, max: mostMore, noNaN: true }),
  )

describe('an offer', () => {
  never(
    'a worse grade',
    fc.tuple(facts, fc.tuple(condition, condition)).map(([input, pair]) => {
      const [better, worse] = pair.toSorted((a, b) => CONDITIONS.indexOf(a) - CONDITIONS.indexOf(b)) as [
        Condition,
        Condition,
      ]
      return [
        { ...input, condition: better },
        { ...input, condition: worse },
      ]
    }),
  )
  never(
    'one more defect',
    fc
      .tuple(facts, fc.constantFrom(...DEFECT_CODES))
      .map(([input, further]) => [input, { ...input, defects: [...new Set([...input.defects, further])] }]),
  )
  never(
    'more risk',
    fc
      .tuple(facts, fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 5 }), fc.integer({ min: 0, max: 60 }))
      .map(([input, points, further]) => [
        { ...input, lookup: lookupOf(points) },
        { ...input, lookup: lookupOf([...points, further]) },
      ]),
  )
  never(
    'a higher margin',
    fc.tuple(facts, more(0, 45)).map(([input, [least, further]]) => [
      { ...input, policy: { ...input.policy, target_margin_percent: least } },
      { ...input, policy: { ...input.policy, target_margin_percent: least + further } },
    ]),
  )
  never(
    'a higher fee',
    fc.tuple(facts, more(0, 45)).map(([input, [least, further]]) => [
      { ...input, policy: { ...input.policy, selling_fee_percent: least } },
      { ...input, policy: { ...input.policy, selling_fee_percent: least + further } },
    ]),
  )
  never(
    'a higher labour rate',
    fc.tuple(facts, fc.nat(10_000), fc.nat(10_000)).map(([input, least, further]) => [
      { ...input, policy: { ...input.policy, labour_per_hour: least } },
      { ...input, policy: { ...input.policy, labour_per_hour: least + further } },
    ]),
  )
  never(
    'a smaller allowance for losses',
    fc
      .tuple(facts, fc.double({ min: 0.01, max: 0.25, noNaN: true }), fc.double({ min: 0, max: 0.25, noNaN: true }))
      .map(([input, least, further]) => [
        { ...input, policy: { ...input.policy, max_loss_probability: least + further } },
        { ...input, policy: { ...input.policy, max_loss_probability: least } },
      ]),
  )

  test('follows the policy, and its response the contract: reasons add up, nothing is negative, grades keep their order', () => {
    fc.assert(
      fc.property(facts, (input) => {
        const appraisal = appraise(factsOf(input))
        const wire = presentAppraisal(factsOf(input), appraisal, {
          id: 'apr_0TEST',
          now: 0,
          author: { kind: 'key', id: 'key_1', name: 'Test' },
          reference: null,
          agreedOffer: null,
          isDeclined: false,
          exchange: US_DOLLARS,
        })
        expect(appraisalSchema.safeParse({ ...wire, outcome: null }).error?.issues ?? []).toEqual([])
        const { offer, plans } = wire
        expect(offer.max_offer).toBeGreaterThanOrEqual(0)
        expect((offer.max_offer ?? 0) % input.policy.offer_rounding).toBe(0)
        const best = plans.find(({ plan }) => plan === offer.plan)
        if (!best || !offer.max_offer) return
        expect(best.loss_probability).toBeLessThanOrEqual(input.policy.max_loss_probability + 0.0006)
        const requiredProfit = Math.max(
          (best.expected_proceeds * input.policy.target_margin_percent) / 100,
          input.policy.min_profit,
        )
        expect(best.expected_profit).toBeGreaterThanOrEqual(requiredProfit - 2)
        for (const plan of plans) expect(plan.max_offer).toBeLessThanOrEqual(best.max_offer)
      }),
      { numRuns: RUNS },
    )
  })

  test('is never made for a listed device', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom('blacklist', 'gsma', 'ctia', 'reported'), (input, how) => {
        const clean = lookupOf([5])
        const lookup: LookupResultWire = {
          ...clean,
          blacklist_status: how === 'blacklist' ? 'blacklisted' : 'unknown',
          gsma_status: how === 'gsma' ? 'blacklisted' : 'unknown',
          ctia_status: how === 'ctia' ? 'lost_stolen' : 'unknown',
          reported_lost_stolen: how === 'reported',
        }
        expect(appraise(factsOf({ ...input, lookup }))).toMatchObject({
          decision: 'reject',
          maxOffer: 0,
          recommendedOffer: 0,
        })
      }),
      { numRuns: 100 },
    )
  })
})
