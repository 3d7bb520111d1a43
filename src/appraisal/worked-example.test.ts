import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { devicesOnBoard } from '../catalog/onboard.ts'
import { exampleAppraisal, exampleRefusedAppraisal } from '../contract/appraisal-examples.ts'
import { EXAMPLE_TIME, exampleListedLookup, examplePricing } from '../contract/examples.ts'
import { CONDITIONS } from '../contract/grades.ts'
import { DOLLARS } from '../currency/exchange.ts'
import type { SideWorth } from '../pricing/serve/device-quotes.ts'
import type { FaultKind } from '../repair/kind.ts'
import { type AppraisalFacts, appraise } from './appraise.ts'
import { identify } from './identity.ts'
import { costOf, type RepairCosts, type RepairOption } from './mending.ts'
import { defaultPolicy } from './policy.ts'
import { presentAppraisal } from './present.ts'

/**
 * The examples of the API reference and of `docs/appraisal.md` are what the program really answers to these facts: the
 * example prices of the reference, and the parts of that phone.
 */
const { resale, buyback } = examplePricing
const side = (block: NonNullable<typeof buyback>): SideWorth =>
  Object.fromEntries(
    CONDITIONS.map((condition) => [condition, { amount: block.current[condition], ...block.interval[condition] }]),
  ) as unknown as SideWorth

const PARTS: Partial<Record<FaultKind, Omit<RepairOption, 'kind'>>> = {
  screen: { name: 'Display replacement', minutes: 75, parts: { min: 5_600, max: 19_400 } },
  battery: { name: 'Battery replacement', minutes: 75, parts: { min: 1_800, max: 5_100 } },
  'back-cover': { name: 'Back cover replacement', minutes: 60, parts: { min: 1_800, max: 3_600 } },
}

const POLICY = { ...defaultPolicy(6_000), labourPerHour: 3_000 }
const costsAt = (labourPerHour: number): RepairCosts =>
  new Map(
    (Object.keys(PARTS) as FaultKind[]).flatMap((kind) =>
      PARTS[kind] ? [[kind, costOf({ kind, ...PARTS[kind] }, labourPerHour)]] : [],
    ),
  )

function factsOf(more: Partial<AppraisalFacts>): AppraisalFacts {
  const device = devicesOnBoard().find(({ id }) => id === 'apple-iphone-13')
  const variant = device?.variants.find(({ id }) => id === examplePricing.variant_id)
  if (!device || !variant || !resale || !buyback) throw new Error('the example is not on board')
  const registry = { findDevice: () => device, findVariant: () => ({ device, variant }) }
  return {
    identity: identify({ variant_id: variant.id }, registry, null, more.lookup ?? null),
    lookup: null,
    worth: {
      resale: side(resale),
      buyback: side(buyback),
      liquidityScore: resale.liquidity_score,
      driftPerMonth: -0.015,
      source: resale.source,
      marketConfidence: examplePricing.market_confidence,
    },
    costs: costsAt((more.policy ?? POLICY).labourPerHour),
    policy: POLICY,
    condition: 'Good',
    defects: [],
    ...more,
  }
}

const answer = (facts: AppraisalFacts, id: string, reference: string | null) =>
  presentAppraisal(facts, appraise(facts), { id, now: Date.parse(EXAMPLE_TIME), reference, exchange: DOLLARS })

describe('the example of the reference', () => {
  const cracked = answer(factsOf({ defects: ['cracked_back'] }), 'apr_01M7EPF8D9K3V5RTA2X6W0YHBN', 'SHELF-0042')

  test('of a phone that pays to mend is what the program answers', () => {
    expect(exampleAppraisal).toEqual(cracked)
  })

  test('of a listed phone is what the program answers', () => {
    const facts = factsOf({ lookup: exampleListedLookup, policy: defaultPolicy(6_000) })
    expect(exampleRefusedAppraisal).toEqual(answer(facts, 'apr_01M7EPF8D9K3V5RTA2X6W0YHBP', null))
  })

  test('is worked out by hand in the documentation', () => {
    const page = readFileSync(join(import.meta.dir, '../../docs/appraisal.md'), 'utf8')
    for (const { code, amount, left } of cracked.offer.reasons) {
      if (amount !== 0) expect(page).toContain(`| \`${code}\` | ${dollars(amount)} | ${dollars(left)} |`)
    }
  })
})

const dollars = (cents: number) => `${cents < 0 ? '−' : ''}${(Math.abs(cents) / 100).toFixed(2)}`
