import { PLAN_NAMES, type PlanName } from '../contract/appraisal.ts'
import type { Condition } from '../contract/condition-grades.ts'
import { FAULTS, type FaultKind } from '../repairs/fault-kinds.ts'
import { type DefectRule, gradeWithDefects } from './defect.ts'
import { type Estimate80, NO_SPENDING, type Plan, type SaleMarket } from './evaluate-plan.ts'
import type { BuyingPolicy } from './policy.ts'
import { medianCost, type RepairCost, type RepairCosts, selectRepair, totalCost } from './repair-cost.ts'

/** Repairs that raise a grade to Good, by what the grade descriptions allow: scratches, dents, a worn battery. */
const REPAIRS_TO_GOOD: Readonly<Partial<Record<Condition, readonly FaultKind[]>>> = {
  Fair: ['screen', 'back-cover'],
  Poor: ['screen', 'back-cover', 'battery'],
}
const UPGRADED_GRADE = 'Good'

/** Deduction for a defect with unknown repair cost, as a fraction of the price of a Good device. */
const UNKNOWN_REPAIR_DEDUCTION = 0.1

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
  /** Null if the device has no grade as it is. */
  readonly asIs: Plan | null
}

export type PlanInput = {
  readonly condition: Condition
  readonly defects: readonly DefectRule[]
  readonly market: SaleMarket
  readonly costs: RepairCosts
  readonly policy: BuyingPolicy
}

/** All plans for a device of one grade with these defects, and why the others are not possible. */
export function listPlans(input: PlanInput): PlanOptions {
  const { condition, defects, market, costs, policy } = input
  const fixes = repairsForDefects(defects, costs)
  const upgrades = repairsForUpgrade(condition, costs)
  const repairs = [...fixes, ...upgrades.filter(({ kind }) => !fixes.some((repair) => repair.kind === kind))]
  const locked = defects.find(({ isSellable }) => !isSellable)
  if (locked) {
    const reason = unsellableReason(locked.name)
    return { plans: [], rejected: PLAN_NAMES.map((plan) => ({ plan, reason })), repairs, asIs: null }
  }
  const asIs = sellAsIsPlan(condition, defects, fixes, market)
  const repaired = repairPlans(condition, defects, fixes, repairs)
  const parts = partsPlan(defects, costs, market, policy)
  const rejected: RejectedPlan[] = []
  if (!asIs) rejected.push({ plan: 'sell_as_is', reason: ungradedReason(defects) })
  if (repaired.plans.length === 0) rejected.push({ plan: 'repair_and_sell', reason: repaired.reason })
  if (!parts) rejected.push({ plan: 'sell_for_parts', reason: 'Part prices are unknown.' })
  return { plans: [...(asIs ? [asIs] : []), ...repaired.plans, ...(parts ? [parts] : [])], rejected, repairs, asIs }
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

function sellAsIsPlan(
  condition: Condition,
  defects: readonly DefectRule[],
  fixes: readonly PlannedRepair[],
  market: SaleMarket,
): Plan | null {
  const grade = gradeWithDefects(condition, defects)
  if (grade === null) return null
  const unknownCost = market.resale.Good.median * UNKNOWN_REPAIR_DEDUCTION
  const repairCosts = fixes.map(({ cost }) => (cost ? medianCost(cost) : unknownCost))
  // The price of a Poor device already includes one defect: the most expensive one is not deducted again.
  const deduction = repairCosts.reduce((sum, cost) => sum + cost, 0) - Math.max(0, ...repairCosts)
  return { name: 'sell_as_is', soldAs: grade, repairs: [], spending: NO_SPENDING, deduction }
}

/** Repairing the defects restores the given grade; repairing wear as well makes the device Good. */
function repairPlans(
  condition: Condition,
  defects: readonly DefectRule[],
  fixes: readonly PlannedRepair[],
  repairs: readonly PlannedRepair[],
): { plans: Plan[]; reason: string } {
  const unpriced = fixes.find(({ cost }) => cost === null)
  if (unpriced) return { plans: [], reason: `Repair cost unknown: ${FAULTS[unpriced.kind].repair}.` }
  const unrepairable = defects.filter((defect) => defect.repairs.length === 0)
  const plan = (grade: Condition, done: readonly PlannedRepair[]): Plan | null => {
    const soldAs = gradeWithDefects(grade, unrepairable)
    if (soldAs === null) return null
    return {
      name: 'repair_and_sell',
      soldAs,
      repairs: done.map(({ kind }) => kind),
      spending: totalCost(done.flatMap(({ cost }) => cost ?? [])),
      deduction: 0,
    }
  }
  const plans = [
    ...(fixes.length > 0 ? [plan(condition, fixes)] : []),
    ...(repairs.length > fixes.length || reachesGood(condition, repairs) ? [plan(UPGRADED_GRADE, repairs)] : []),
  ].filter((each) => each !== null)
  const isUpgradeUnknown = REPAIRS_TO_GOOD[condition] && plans.length === 0
  return { plans, reason: isUpgradeUnknown ? 'Repair costs for a better grade are unknown.' : 'Nothing to repair.' }
}

/** Whether the repairs of the defects alone already make the device Good. */
function reachesGood(condition: Condition, repairs: readonly PlannedRepair[]): boolean {
  const needed = REPAIRS_TO_GOOD[condition]
  return needed?.every((kind) => repairs.some((repair) => repair.kind === kind)) ?? false
}

function partsPlan(
  defects: readonly DefectRule[],
  costs: RepairCosts,
  market: SaleMarket,
  policy: BuyingPolicy,
): Plan | null {
  const broken = new Set(defects.flatMap(({ repairs }) => repairs))
  let cheapest = 0
  for (const [kind, { cost: spending }] of costs) {
    if (!broken.has(kind) && !WITHOUT_SELLABLE_PART.has(kind)) cheapest += spending.parts.low
  }
  if (cheapest === 0) return null
  const isTested = defects.every(({ isGradable }) => isGradable)
  // The parts never sell for more than a working device.
  const value = Math.min(
    cheapest * (isTested ? 1 : UNTESTED_PART_FACTOR),
    market.resale.Poor.median / USED_PART_VALUE.median,
  )
  const work = (DISMANTLING_MINUTES / 60) * policy.labourPerHour
  return {
    name: 'sell_for_parts',
    soldAs: null,
    price: {
      median: value * USED_PART_VALUE.median,
      low: value * USED_PART_VALUE.low,
      high: value * USED_PART_VALUE.high,
    },
    repairs: [],
    spending: { parts: NO_SPENDING.parts, labour: { median: work, low: work, high: work } },
    deduction: 0,
  }
}

function ungradedReason(defects: readonly DefectRule[]): string {
  const ungradable = defects.filter(({ isGradable }) => !isGradable).map(({ name }) => name)
  return `Devices with this defect have no grade: ${ungradable.join(', ')}.`
}
