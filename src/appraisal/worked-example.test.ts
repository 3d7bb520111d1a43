import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledDevices } from '../catalog/bundled-catalogue-service.ts'
import { CONDITIONS } from '../contract/condition-grades.ts'
import {
  EXAMPLE_TIME,
  exampleAppraisal,
  exampleBlacklistedLookup,
  examplePricing,
  exampleRejectedAppraisal,
} from '../contract/examples.ts'
import { US_DOLLARS } from '../currency/exchange.ts'
import type { ConditionValues } from '../pricing/quotes/device-quotes.ts'
import type { FaultKind } from '../repairs/fault-kinds.ts'
import { type AppraisalFacts, appraise } from './appraise.ts'
import { identify } from './identity.ts'
import { defaultPolicy } from './policy.ts'
import { presentAppraisal } from './present.ts'
import { EMPTY_READING } from './read-request.ts'
import { type ConvertedRepair, calculateRepairCost, type RepairCosts } from './repair-cost.ts'
import { defectRatiosOf } from './valuation.ts'

/**
 * The examples in the API reference and in `docs/appraisal.md` are real results for these facts: the example prices of the reference, and the parts
 * of that phone.
 */
const { resale, buyback } = examplePricing
const side = (block: NonNullable<typeof buyback>): ConditionValues =>
  Object.fromEntries(
    CONDITIONS.map((condition) => [condition, { amount: block.current[condition], ...block.interval[condition] }]),
  ) as unknown as ConditionValues

const PARTS: Partial<Record<FaultKind, Omit<ConvertedRepair, 'kind'>>> = {
  screen: { name: 'Display replacement', minutes: 75, parts: { min: 3_700, max: 19_400 } },
  battery: { name: 'Battery replacement', minutes: 75, parts: { min: 1_200, max: 5_100 } },
  'back-cover': { name: 'Back cover replacement', minutes: 60, parts: { min: 1_800, max: 3_600 } },
}

const POLICY = { ...defaultPolicy(6_000), labour_per_hour: 3_000 }
const costsAt = (labourPerHour: number): RepairCosts =>
  new Map(
    (Object.keys(PARTS) as FaultKind[]).flatMap((kind) =>
      PARTS[kind] ? [[kind, calculateRepairCost({ kind, ...PARTS[kind] }, labourPerHour)]] : [],
    ),
  )

function factsOf(more: Partial<AppraisalFacts>): AppraisalFacts {
  const device = bundledDevices().find(({ id }) => id === 'apple-iphone-13')
  const variant = device?.variants.find(({ id }) => id === examplePricing.variant_id)
  if (!device || !variant || !resale || !buyback) throw new Error('the device of the example is not in the catalogue')
  const registry = { findDevice: () => device, findVariant: () => ({ device, variant }) }
  const value = {
    resale: side(resale),
    buyback: side(buyback),
    liquidityScore: resale.liquidity_score,
    driftPerMonth: -0.015,
    source: resale.source,
    marketConfidence: examplePricing.market_confidence,
    market: examplePricing.market,
  }
  return {
    identity: identify({ variant_id: variant.id }, registry, null, more.lookup ?? null),
    lookup: null,
    value,
    repairCosts: costsAt((more.policy ?? POLICY).labour_per_hour),
    defectRatios: defectRatiosOf(device, value),
    policy: POLICY,
    condition: 'Good',
    defects: [],
    lock: 'unlocked',
    reading: EMPTY_READING,
    knownDeals: [],
    priceRules: [],
    ...more,
  }
}

const response = (facts: AppraisalFacts, id: string, reference: string | null) =>
  presentAppraisal(facts, appraise(facts), {
    id,
    now: Date.parse(EXAMPLE_TIME),
    author: { kind: 'key', id: 'key_0f246810c52148df3', name: 'Counter' },
    reference,
    agreedOffer: null,
    isDeclined: false,
    exchange: US_DOLLARS,
  })

describe('the example of the reference', () => {
  const cracked = response(factsOf({ defects: ['cracked_back'] }), 'apr_01M7EPF8D9K3V5RTA2X6W0YHBN', 'SHELF-0042')

  test('of a phone worth repairing is what the program returns', () => {
    expect(exampleAppraisal).toEqual({ ...cracked, outcome: null })
  })

  test('of a listed phone is what the program returns', () => {
    const facts = factsOf({ lookup: exampleBlacklistedLookup, policy: defaultPolicy(6_000) })
    const rejected = response(facts, 'apr_01M7EPF8D9K3V5RTA2X6W0YHBP', null)
    expect(exampleRejectedAppraisal).toEqual({ ...rejected, outcome: null })
  })

  test('matches the calculation in the documentation', () => {
    const page = readFileSync(join(import.meta.dir, '../../docs/appraisal.md'), 'utf8')
    for (const { code, amount, running_total } of cracked.offer.reasons) {
      if (amount !== 0) expect(page).toContain(`| \`${code}\` | ${dollars(amount)} | ${dollars(running_total)} |`)
    }
  })
})

const dollars = (cents: number) => `${cents < 0 ? '−' : ''}${(Math.abs(cents) / 100).toFixed(2)}`
