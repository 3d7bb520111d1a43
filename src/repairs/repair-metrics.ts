import type { REPAIR_ROI_INDICATORS } from '../contract/repair.ts'
import { type FaultShares, faultWeight } from './fault-frequency.ts'
import { labourCost } from './labour-cost.ts'
import type { MergedFacts, MergedRepair } from './merged-facts.ts'
import type { CostRange, Sourced } from './repair-fact.ts'

export type RoiIndicator = (typeof REPAIR_ROI_INDICATORS)[number]
export type ResaleByGrade = { readonly goodCents: number; readonly poorCents: number }

/** Cost of one repair: parts and labour; null if no part has a price. Labour without a documented time is not included. */
export function repairCost(repair: MergedRepair, labourCentsPerHour: number): CostRange | null {
  const parts = repair.parts.flatMap((part) => (part.cost ? [part.cost.value] : []))
  if (parts.length === 0) return null
  const labour = labourCost(repair, labourCentsPerHour)
  const costs = labour ? [...parts, labour] : parts
  return {
    minCents: costs.reduce((sum, cost) => sum + cost.minCents, 0),
    maxCents: costs.reduce((sum, cost) => sum + cost.maxCents, 0),
  }
}

/** Expected cost of the next repair: the mean of all priced repairs, weighted by the frequency of their faults. */
export function averageRepairCost(
  repairs: readonly MergedRepair[],
  shares: FaultShares,
  labourCentsPerHour: number,
): CostRange | null {
  let weight = 0
  let min = 0
  let max = 0
  for (const repair of repairs) {
    const cost = repairCost(repair, labourCentsPerHour)
    if (!cost) continue
    const share = faultWeight(shares, repair.kind)
    weight += share
    min += share * cost.minCents
    max += share * cost.maxCents
  }
  return weight === 0 ? null : { minCents: Math.round(min / weight), maxCents: Math.round(max / weight) }
}

/**
 * Return per dollar of repair cost: the difference in resale between Poor and Good, minus the cost, divided by the cost. Uses the
 * lower end of the cost, because resellers fit good aftermarket parts.
 */
export function repairRoi(resale: ResaleByGrade | null, cost: CostRange | null): RoiIndicator {
  if (!resale || !cost || cost.minCents <= 0) return 'unknown'
  const roi = (resale.goodCents - resale.poorCents - cost.minCents) / cost.minCents
  if (roi >= 1) return 'high'
  if (roi >= 0.25) return 'medium'
  if (roi >= 0) return 'low'
  return 'negative'
}

/** This many well-documented repairs are complete; further repairs never lower the completeness. */
const EXPECTED_REPAIRS = 3

/**
 * Share of ten expected facts that are known, in percent. A fact of the device or variant itself counts fully, an inherited or
 * estimated one half. A component that the device does not have counts as known.
 */
export function dataCompleteness(facts: MergedFacts): number {
  const slots = [
    completenessCredit(facts.score),
    bestRepairCredit(facts.repairs, (repair) => completenessCredit(repair.difficulty)),
    bestRepairCredit(facts.repairs, (repair) => completenessCredit(repair.minutes)),
    bestRepairCredit(facts.repairs, (repair) => bestCredit(repair.parts.map((part) => completenessCredit(part.cost)))),
    bestRepairCredit(facts.repairs, (repair) =>
      bestCredit(repair.parts.map((part) => completenessCredit(part.availability))),
    ),
    bestRepairCredit(facts.repairs, (repair) => completenessCredit(repair.guideUrl)),
    bestCredit(facts.failurePoints.map(completenessCredit)),
    bestCredit(facts.notes.map(completenessCredit)),
    completenessCredit(facts.proprietaryParts),
    completenessCredit(facts.specialTools),
  ]
  return Math.round((100 * slots.reduce((sum, slot) => sum + slot, 0)) / slots.length)
}

function completenessCredit(fact: Sourced<unknown> | null): number {
  if (!fact) return 0
  return fact.level === 'variant' || fact.level === 'device' ? 1 : 0.5
}

function bestCredit(credits: readonly number[]): number {
  return Math.max(0, ...credits)
}

function bestRepairCredit(repairs: readonly MergedRepair[], creditOf: (repair: MergedRepair) => number): number {
  const credits = repairs.map(creditOf).toSorted((a, b) => b - a)
  return credits.slice(0, EXPECTED_REPAIRS).reduce((sum, each) => sum + each, 0) / EXPECTED_REPAIRS
}
