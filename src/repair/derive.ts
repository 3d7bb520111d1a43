import type { REPAIR_ROI_INDICATORS } from '../contract/repair.ts'
import type { CostRange, Known } from './fact.ts'
import { type FaultShares, weightOf } from './failure.ts'
import { labourCost } from './labour.ts'
import type { MergedFacts, MergedRepair } from './merged-facts.ts'

export type RoiIndicator = (typeof REPAIR_ROI_INDICATORS)[number]
export type Resale = { readonly goodCents: number; readonly poorCents: number }

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
    const share = weightOf(shares, repair.kind)
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
export function repairRoi(resale: Resale | null, cost: CostRange | null): RoiIndicator {
  if (!resale || !cost || cost.minCents <= 0) return 'unknown'
  const roi = (resale.goodCents - resale.poorCents - cost.minCents) / cost.minCents
  if (roi >= 1) return 'high'
  if (roi >= 0.25) return 'medium'
  if (roi >= 0) return 'low'
  return 'negative'
}

/** So many well-known repairs fill a slot; a further one can only help, or completeness would punish learning. */
const REPAIRS_EXPECTED = 3

/**
 * Of ten facts a caller hopes for, how many are there, in percent. A fact of the device or variant itself counts one,
 * an inherited or estimated one half. That a device has no such part is known too: it takes nothing away.
 */
export function dataCompleteness(facts: MergedFacts): number {
  const slots = [
    credit(facts.score),
    ofRepairs(facts.repairs, (repair) => credit(repair.difficulty)),
    ofRepairs(facts.repairs, (repair) => credit(repair.minutes)),
    ofRepairs(facts.repairs, (repair) => best(repair.parts.map((part) => credit(part.cost)))),
    ofRepairs(facts.repairs, (repair) => best(repair.parts.map((part) => credit(part.availability)))),
    ofRepairs(facts.repairs, (repair) => credit(repair.guideUrl)),
    best(facts.failurePoints.map(credit)),
    best(facts.notes.map(credit)),
    credit(facts.proprietaryParts),
    credit(facts.specialTools),
  ]
  return Math.round((100 * slots.reduce((sum, slot) => sum + slot, 0)) / slots.length)
}

function credit(known: Known<unknown> | null): number {
  if (!known) return 0
  return known.level === 'variant' || known.level === 'device' ? 1 : 0.5
}

function best(credits: readonly number[]): number {
  return Math.max(0, ...credits)
}

function ofRepairs(repairs: readonly MergedRepair[], creditOf: (repair: MergedRepair) => number): number {
  const credits = repairs.map(creditOf).toSorted((a, b) => b - a)
  return credits.slice(0, REPAIRS_EXPECTED).reduce((sum, each) => sum + each, 0) / REPAIRS_EXPECTED
}
