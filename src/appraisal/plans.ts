import type { PlanName } from '../contract/appraisal.ts'
import type { Condition } from '../contract/condition-grades.ts'
import { FAULTS, type FaultKind } from '../repairs/fault-kinds.ts'
import { type DefectRule, gradeWithDefects } from './defect.ts'
import { type Estimate80, NO_SPENDING, type Plan, type SaleMarket } from './evaluate-plan.ts'
import type { BuyingPolicy } from './policy.ts'
import { medianCost, type RepairCost, type RepairCosts, selectRepair, totalCost } from './repair-cost.ts'

/** What stands between a grade and Good, by the words of the grades: scratches, dents, a worn battery. */
const REPAIRS_TO_GOOD: Readonly<Partial<Record<Condition, readonly FaultKind[]>>> = {
  Fair: ['screen', 'back-cover'],
  Poor: ['screen', 'back-cover', 'battery'],
}
const UPGRADED_GRADE = 'Good'

/** A defect that nobody knows the cost of takes this share of the price of a Good device. */
const UNKNOWN_REPAIR_DEDUCTION = 0.1

/** A used part brings about half of what the cheapest new one costs, and half of that again while nobody could test it. */
const USED_PART_VALUE: Estimate80 = { median: 0.5, low: 0.3, high: 0.7 }
const UNTESTED_PART_FACTOR = 0.5
const DISMANTLING_MINUTES = 60
/** These are no parts that somebody could sell. */
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
  /** The repairs of the defects, and those that would raise the grade. */
  readonly repairs: readonly PlannedRepair[]
  /** What it sells for as it is; null where it has no grade. */
  readonly asIs: Plan | null
}

export type PlanInput = {
  readonly condition: Condition
  readonly defects: readonly DefectRule[]
  readonly market: SaleMarket
  readonly costs: RepairCosts
  readonly policy: BuyingPolicy
}

/** Every way to make money of a device of one grade with these defects, and why a way is not there. */
export function listPlans(input: PlanInput): PlanOptions {
  const { condition, defects, market, costs, policy } = input
  const mending = repairsForDefects(defects, costs)
  const lifting = repairsForUpgrade(condition, costs)
  const locked = defects.find(({ isSellable }) => !isSellable)
  const repairs = [...mending, ...lifting.filter(({ kind }) => !mending.some((repair) => repair.kind === kind))]
  if (locked) {
    const because = `${locked.name}: it cannot be sold until that is gone.`
    const all: readonly PlanName[] = ['sell_as_is', 'repair_and_sell', 'parts']
    return { plans: [], rejected: all.map((plan) => ({ plan, reason: because })), repairs, asIs: null }
  }
  const asIs = sellAsIsPlan(condition, defects, mending, market)
  const mended = repairPlans(condition, defects, mending, repairs)
  const parts = partsPlan(defects, costs, market, policy)
  const leftOut: RejectedPlan[] = []
  if (!asIs) leftOut.push({ plan: 'sell_as_is', reason: ungradedReason(defects) })
  if (mended.plans.length === 0) leftOut.push({ plan: 'repair_and_sell', reason: mended.because })
  if (!parts) leftOut.push({ plan: 'parts', reason: 'No cost of its parts is known.' })
  return {
    plans: [...(asIs ? [asIs] : []), ...mended.plans, ...(parts ? [parts] : [])],
    rejected: leftOut,
    repairs,
    asIs,
  }
}

/** Each repair once, however many defects it mends. */
function repairsForDefects(defects: readonly DefectRule[], costs: RepairCosts): PlannedRepair[] {
  const byKind = new Map<FaultKind, PlannedRepair>()
  for (const defect of defects) {
    const repair = selectRepair(defect, costs)
    if (!repair) continue
    const known = byKind.get(repair.kind)
    byKind.set(repair.kind, { ...repair, fixes: [...(known?.fixes ?? []), defect] })
  }
  return [...byKind.values()]
}

/** The repairs that make a device Good, where all of them are known; a grade is not raised by half of them. */
function repairsForUpgrade(condition: Condition, costs: RepairCosts): PlannedRepair[] {
  const kinds = REPAIRS_TO_GOOD[condition] ?? []
  const known = kinds.flatMap((kind) => costs.get(kind) ?? [])
  return known.length < kinds.length ? [] : known.map((cost) => ({ kind: cost.kind, cost, fixes: [] }))
}

function sellAsIsPlan(
  condition: Condition,
  defects: readonly DefectRule[],
  mending: readonly PlannedRepair[],
  market: SaleMarket,
): Plan | null {
  const grade = gradeWithDefects(condition, defects)
  if (grade === null) return null
  const unknown = market.resale.Good.median * UNKNOWN_REPAIR_DEDUCTION
  const each = mending.map(({ cost }) => (cost ? medianCost(cost) : unknown))
  // The price of a Poor device reckons with something being broken: the dearest defect is in it, the others are not.
  const deduction = each.reduce((sum, cost) => sum + cost, 0) - Math.max(0, ...each)
  return { name: 'sell_as_is', soldAs: grade, repairs: [], spending: NO_SPENDING, deduction }
}

/** With the defects mended it has the grade it was given; with what wear takes mended too, it is Good. */
function repairPlans(
  condition: Condition,
  defects: readonly DefectRule[],
  mending: readonly PlannedRepair[],
  repairs: readonly PlannedRepair[],
): { plans: Plan[]; because: string } {
  const unknown = mending.find(({ cost }) => cost === null)
  if (unknown) return { plans: [], because: `No cost is known for: ${FAULTS[unknown.kind].repair}.` }
  const left = defects.filter(({ repairs: mends }) => mends.length === 0)
  const plan = (to: Condition, done: readonly PlannedRepair[]): Plan | null => {
    const soldAs = gradeWithDefects(to, left)
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
    ...(mending.length > 0 ? [plan(condition, mending)] : []),
    ...(repairs.length > mending.length || reachesGood(condition, repairs) ? [plan(UPGRADED_GRADE, repairs)] : []),
  ].filter((made) => made !== null)
  const because =
    REPAIRS_TO_GOOD[condition] && plans.length === 0
      ? 'What it would take to raise its grade is not known.'
      : 'There is nothing to mend.'
  return { plans, because }
}

/** Whether repairs that are done for defects alone already make the device Good. */
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
  const wanted = cheapest * (isTested ? 1 : UNTESTED_PART_FACTOR)
  // Nobody pays more for the parts of a device than for a working one.
  const value = Math.min(wanted, market.resale.Poor.median / USED_PART_VALUE.median)
  const work = (DISMANTLING_MINUTES / 60) * policy.labourPerHour
  return {
    name: 'parts',
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
  const why = defects.filter(({ isGradable }) => !isGradable).map(({ name }) => name)
  return `A device with this has no grade: ${why.join(', ')}.`
}
