import { PLAN_NAMES, type PlanName } from '../contract/appraisal.ts'
import type { Condition } from '../contract/condition-grades.ts'
import { FAULTS, type FaultKind } from '../repairs/fault-kinds.ts'
import { type DefectRule, gradeWithDefects } from './defect.ts'
import { type DefectRatios, defectivePrices } from './defect-ratios.ts'
import { type Estimate80, NO_SPENDING, type Plan, type SaleMarket } from './evaluate-plan.ts'
import type { BuyingPolicy } from './policy.ts'
import { type RepairCost, type RepairCosts, selectRepair, totalCost } from './repair-cost.ts'

/** Repairs that raise a grade to Good, following the grade descriptions: scratches, dents, a worn battery. */
const REPAIRS_TO_GOOD: Readonly<Partial<Record<Condition, readonly FaultKind[]>>> = {
  Fair: ['screen', 'back-cover'],
  Poor: ['screen', 'back-cover', 'battery'],
}
const UPGRADED_GRADE = 'Good'

/** A used part sells for about half the price of the cheapest new one, and for half of that again if untested. */
const USED_PART_VALUE: Estimate80 = { median: 0.5, low: 0.3, high: 0.7 }
const UNTESTED_PART_FACTOR = 0.5
const DISMANTLING_MINUTES = 60
/** Repairs without a part that could be sold. */
const WITHOUT_SELLABLE_PART: ReadonlySet<FaultKind> = new Set(['liquid', 'software'])

export type RejectedPlan = { readonly plan: PlanName; readonly reason: string }

export type PlannedRepair = {
  readonly kind: FaultKind
  readonly cost: RepairCost | null
  readonly fixes: readonly DefectRule[]
}

export type PlanOptions = {
  readonly plans: readonly Plan[]
  readonly rejected: readonly RejectedPlan[]
  /** Repairs of the defects, then those that would raise the grade. */
  readonly repairs: readonly PlannedRepair[]
}

export type PlanInput = {
  readonly condition: Condition
  readonly defects: readonly DefectRule[]
  readonly market: SaleMarket
  readonly costs: RepairCosts
  /** Resale price of a defective device relative to a working one. */
  readonly ratios: DefectRatios
  readonly policy: BuyingPolicy
}

/** All plans for a device of one grade with these defects, and why the others are not possible. */
export function listPlans(input: PlanInput): PlanOptions {
  const { condition, defects, market, costs, policy } = input
  const fixes = repairsForDefects(defects, costs)
  const upgrades = repairsForUpgrade(condition, costs)
  const repairs = [...fixes, ...upgrades.filter(({ kind }) => !fixes.some((repair) => repair.kind === kind))]
  const unsellable = defects.find(({ isSellable }) => !isSellable)
  if (unsellable) {
    const reason = unsellableReason(unsellable.name)
    return { plans: [], rejected: PLAN_NAMES.map((plan) => ({ plan, reason })), repairs }
  }
  const repairOptions = repairPlans(input, fixes, repairs)
  const parts = partsPlan(defects, costs, market, policy)
  const rejected: RejectedPlan[] = []
  if (repairOptions.plans.length === 0) rejected.push({ plan: 'repair_and_sell', reason: repairOptions.reason })
  if (!parts) rejected.push({ plan: 'sell_for_parts', reason: 'Part prices are unknown.' })
  const asIs = salePlan('sell_as_is', condition, defects, [], input)
  return { plans: [asIs, ...repairOptions.plans, ...(parts ? [parts] : [])], rejected, repairs }
}

export const unsellableReason = (defect: string) => `${defect}: the device cannot be sold until this is resolved.`

/** Each repair once, even if it fixes several defects. */
function repairsForDefects(defects: readonly DefectRule[], costs: RepairCosts): PlannedRepair[] {
  const byKind = new Map<FaultKind, PlannedRepair>()
  for (const defect of defects) {
    const repair = selectRepair(defect, costs)
    if (!repair) continue
    byKind.set(repair.kind, { ...repair, fixes: [...(byKind.get(repair.kind)?.fixes ?? []), defect] })
  }
  return [...byKind.values()]
}

/** The repairs that raise a device to Good; none unless the cost of all of them is known. */
function repairsForUpgrade(condition: Condition, costs: RepairCosts): PlannedRepair[] {
  const kinds = REPAIRS_TO_GOOD[condition] ?? []
  const priced = kinds.flatMap((kind) => costs.get(kind) ?? [])
  return priced.length < kinds.length ? [] : priced.map((cost) => ({ kind: cost.kind, cost, fixes: [] }))
}

/** Sells the device in a condition with the defects that remain after some repairs. */
function salePlan(
  name: PlanName,
  condition: Condition,
  remaining: readonly DefectRule[],
  repairs: readonly PlannedRepair[],
  { market, ratios }: PlanInput,
): Plan {
  return {
    name,
    soldAs: gradeWithDefects(condition, remaining),
    repairs: repairs.map(({ kind }) => kind),
    spending: totalCost(repairs.flatMap(({ cost }) => cost ?? [])),
    sale: {
      condition,
      workingPrice: market.resale[condition].median,
      prices: defectivePrices(market.resale, remaining, ratios),
    },
  }
}

/**
 * Repairing all defects restores the given grade; repairing wear as well makes the device Good. Repairing only some of them can
 * pay more: the others reduce the price.
 */
function repairPlans(
  input: PlanInput,
  fixes: readonly PlannedRepair[],
  repairs: readonly PlannedRepair[],
): { plans: Plan[]; reason: string } {
  const { condition, defects } = input
  const plan = (grade: Condition, doneRepairs: readonly PlannedRepair[]) => {
    const remaining = defects.filter((defect) => !doneRepairs.some((repair) => repair.fixes.includes(defect)))
    return salePlan('repair_and_sell', grade, remaining, doneRepairs, input)
  }
  const partial = partialRepairs(fixes.filter(({ cost }) => cost !== null)).map((doneRepairs) =>
    plan(condition, doneRepairs),
  )
  const unpriced = fixes.find(({ cost }) => cost === null)
  if (unpriced) return { plans: partial, reason: `Repair cost unknown: ${FAULTS[unpriced.kind].repair}.` }
  const plans = [
    ...(fixes.length > 0 ? [plan(condition, fixes)] : []),
    ...(repairs.length > fixes.length || reachesGood(condition, repairs) ? [plan(UPGRADED_GRADE, repairs)] : []),
    ...partial.filter(({ repairs: doneRepairs }) => doneRepairs.length < fixes.length),
  ]
  const isUpgradeUnknown = REPAIRS_TO_GOOD[condition] && plans.length === 0
  return { plans, reason: isUpgradeUnknown ? 'Repair costs for a better grade are unknown.' : 'Nothing to repair.' }
}

/** More repairs than this are tried one by one and all but one, not in every combination. */
const MAX_COMBINED_REPAIRS = 4

/** Combinations of some or all of the repairs. */
function partialRepairs(repairs: readonly PlannedRepair[]): PlannedRepair[][] {
  if (repairs.length > MAX_COMBINED_REPAIRS) {
    return repairs.flatMap((repair) => [[repair], repairs.filter((other) => other !== repair)])
  }
  return Array.from({ length: 2 ** repairs.length - 1 }, (_, subset) =>
    repairs.filter((_repair, index) => ((subset + 1) >> index) & 1),
  )
}

/** Whether the repairs of the defects alone already make the device Good. */
function reachesGood(condition: Condition, repairs: readonly PlannedRepair[]): boolean {
  const neededRepairs = REPAIRS_TO_GOOD[condition]
  return neededRepairs?.every((kind) => repairs.some((repair) => repair.kind === kind)) ?? false
}

function partsPlan(
  defects: readonly DefectRule[],
  costs: RepairCosts,
  market: SaleMarket,
  policy: BuyingPolicy,
): Plan | null {
  const brokenParts = new Set(defects.flatMap(({ repairs }) => repairs))
  let newPartsCost = 0
  for (const [kind, { cost: spending }] of costs) {
    if (!brokenParts.has(kind) && !WITHOUT_SELLABLE_PART.has(kind)) newPartsCost += spending.parts.low
  }
  if (newPartsCost === 0) return null
  const isTested = defects.every(({ isGradable }) => isGradable)
  // The parts never sell for more than a working device.
  const value = Math.min(
    newPartsCost * (isTested ? 1 : UNTESTED_PART_FACTOR),
    market.resale.Poor.median / USED_PART_VALUE.median,
  )
  const labourCost = (DISMANTLING_MINUTES / 60) * policy.labour_per_hour
  return {
    name: 'sell_for_parts',
    soldAs: null,
    repairs: [],
    spending: { parts: NO_SPENDING.parts, labour: { median: labourCost, low: labourCost, high: labourCost } },
    sale: {
      parts: {
        median: value * USED_PART_VALUE.median,
        low: value * USED_PART_VALUE.low,
        high: value * USED_PART_VALUE.high,
      },
    },
  }
}
