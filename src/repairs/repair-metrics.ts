import type { REPAIR_ROI_INDICATORS } from '../contract/repair.ts'
import { type FaultShares, faultWeight } from './fault-frequency.ts'
import { labourCost } from './labour-cost.ts'
import type { MergedFacts, MergedRepair } from './merged-facts.ts'
import type { CostRange, Sourced } from './repair-fact.ts'

export type RoiIndicator = (typeof REPAIR_ROI_INDICATORS)[number]
export type ResaleByGrade = { readonly goodCents: number; readonly poorCents: number }

/** The parts of one repair and its labour together; null when no part has a price. Labour nobody timed adds nothing. */
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

/** The cost of the next repair to come: each priced repair weighs as often as its fault occurs. */
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
 * What a repair gives back for each dollar put in: the step in resale from Poor to Good, less the repair, over the repair.
 * The repair is the cheapest sound one, the lower end of the cost: whoever mends to sell buys a good aftermarket part.
 */
export function repairRoi(resale: ResaleByGrade | null, cost: CostRange | null): RoiIndicator {
  if (!resale || !cost || cost.minCents <= 0) return 'unknown'
  const roi = (resale.goodCents - resale.poorCents - cost.minCents) / cost.minCents
  if (roi >= 1) return 'high'
  if (roi >= 0.25) return 'medium'
  if (roi >= 0) return 'low'
  return 'negative'
}

/** So many well-known repairs fill a slot; a further one can only help, or completeness would punish learning. */
const EXPECTED_REPAIRS = 3

/**
 * Of ten facts a caller hopes for, how many are there, in percent. A fact of the device or variant itself counts one,
 * an inherited or estimated one half. That a device has no such part is known too: it takes nothing away.
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
