import type { PlanName } from '../contract/appraisal.ts'
import type { Condition } from '../contract/grades.ts'
import { FAULT_WORDS, type FaultKind } from '../repair/kind.ts'
import { type Defect, gradeWith } from './defect.ts'
import { middleOf, type RepairCost, type RepairCosts, repairFor, together } from './mending.ts'
import type { Policy } from './policy.ts'
import { NOTHING_SPENT, type Plan, type Range, type SaleMarket } from './sum.ts'

/** What stands between a grade and Good, by the words of the grades: scratches, dents, a worn battery. */
const LIFTED: Readonly<Partial<Record<Condition, readonly FaultKind[]>>> = {
  Fair: ['screen', 'back-cover'],
  Poor: ['screen', 'back-cover', 'battery'],
}
const LIFTED_TO = 'Good'

/** A defect that nobody knows the cost of takes this share of the price of a Good device. */
const UNKNOWN_REPAIR_SHARE = 0.1

/** A used part brings about half of what the cheapest new one costs, and half of that again while nobody could test it. */
const USED_PART: Range = { middle: 0.5, low: 0.3, high: 0.7 }
const UNTESTED = 0.5
const DISMANTLING_MINUTES = 60
/** These are no parts that somebody could sell. */
const NO_PARTS: ReadonlySet<FaultKind> = new Set(['liquid', 'software'])

export type LeftOut = { readonly plan: PlanName; readonly because: string }

export type Repair = { readonly kind: FaultKind; readonly cost: RepairCost | null; readonly mends: readonly Defect[] }

export type Plans = {
  readonly plans: readonly Plan[]
  readonly leftOut: readonly LeftOut[]
  /** The repairs of the defects, and those that would raise the grade. */
  readonly repairs: readonly Repair[]
  /** What it sells for as it is; null where it has no grade. */
  readonly asIs: Plan | null
}

export type Given = {
  readonly condition: Condition
  readonly defects: readonly Defect[]
  readonly market: SaleMarket
  readonly costs: RepairCosts
  readonly policy: Policy
}

/** Every way to make money of a device of one grade with these defects, and why a way is not there. */
export function plansFor(given: Given): Plans {
  const { condition, defects, market, costs, policy } = given
  const mending = mendingOf(defects, costs)
  const lifting = liftingOf(condition, costs)
  const locked = defects.find(({ isSellable }) => !isSellable)
  const repairs = [...mending, ...lifting.filter(({ kind }) => !mending.some((repair) => repair.kind === kind))]
  if (locked) {
    const because = `${locked.name}: it cannot be sold until that is gone.`
    const all: readonly PlanName[] = ['sell_as_is', 'repair_and_sell', 'parts']
    return { plans: [], leftOut: all.map((plan) => ({ plan, because })), repairs, asIs: null }
  }
  const asIs = asItIs(condition, defects, mending, market)
  const mended = mendedPlans(condition, defects, mending, repairs)
  const parts = forParts(defects, costs, market, policy)
  const leftOut: LeftOut[] = []
  if (!asIs) leftOut.push({ plan: 'sell_as_is', because: ungraded(defects) })
  if (mended.plans.length === 0) leftOut.push({ plan: 'repair_and_sell', because: mended.because })
  if (!parts) leftOut.push({ plan: 'parts', because: 'No cost of its parts is known.' })
  return { plans: [...(asIs ? [asIs] : []), ...mended.plans, ...(parts ? [parts] : [])], leftOut, repairs, asIs }
}

/** Each repair once, however many defects it mends. */
function mendingOf(defects: readonly Defect[], costs: RepairCosts): Repair[] {
  const byKind = new Map<FaultKind, Repair>()
  for (const defect of defects) {
    const repair = repairFor(defect, costs)
    if (!repair) continue
    const known = byKind.get(repair.kind)
    byKind.set(repair.kind, { ...repair, mends: [...(known?.mends ?? []), defect] })
  }
  return [...byKind.values()]
}

/** The repairs that make a device Good, where all of them are known; a grade is not raised by half of them. */
function liftingOf(condition: Condition, costs: RepairCosts): Repair[] {
  const kinds = LIFTED[condition] ?? []
  const known = kinds.flatMap((kind) => costs.get(kind) ?? [])
  return known.length < kinds.length ? [] : known.map((cost) => ({ kind: cost.kind, cost, mends: [] }))
}

function asItIs(
  condition: Condition,
  defects: readonly Defect[],
  mending: readonly Repair[],
  market: SaleMarket,
): Plan | null {
  const grade = gradeWith(condition, defects)
  if (grade === null) return null
  const unknown = market.resale.Good.middle * UNKNOWN_REPAIR_SHARE
  const each = mending.map(({ cost }) => (cost ? middleOf(cost) : unknown))
  // The price of a Poor device reckons with something being broken: the dearest defect is in it, the others are not.
  const deduction = each.reduce((sum, cost) => sum + cost, 0) - Math.max(0, ...each)
  return { name: 'sell_as_is', soldAs: grade, repairs: [], spending: NOTHING_SPENT, deduction }
}

/** With the defects mended it has the grade it was given; with what wear takes mended too, it is Good. */
function mendedPlans(
  condition: Condition,
  defects: readonly Defect[],
  mending: readonly Repair[],
  repairs: readonly Repair[],
): { plans: Plan[]; because: string } {
  const unknown = mending.find(({ cost }) => cost === null)
  if (unknown) return { plans: [], because: `No cost is known for: ${FAULT_WORDS[unknown.kind].repair}.` }
  const left = defects.filter(({ repairs: mends }) => mends.length === 0)
  const plan = (to: Condition, done: readonly Repair[]): Plan | null => {
    const soldAs = gradeWith(to, left)
    if (soldAs === null) return null
    return {
      name: 'repair_and_sell',
      soldAs,
      repairs: done.map(({ kind }) => kind),
      spending: together(done.flatMap(({ cost }) => cost ?? [])),
      deduction: 0,
    }
  }
  const plans = [
    ...(mending.length > 0 ? [plan(condition, mending)] : []),
    ...(repairs.length > mending.length || lifts(condition, repairs) ? [plan(LIFTED_TO, repairs)] : []),
  ].filter((made) => made !== null)
  const because =
    LIFTED[condition] && plans.length === 0
      ? 'What it would take to raise its grade is not known.'
      : 'There is nothing to mend.'
  return { plans, because }
}

/** Whether repairs that are done for defects alone already make the device Good. */
function lifts(condition: Condition, repairs: readonly Repair[]): boolean {
  const needed = LIFTED[condition]
  return needed?.every((kind) => repairs.some((repair) => repair.kind === kind)) ?? false
}

function forParts(defects: readonly Defect[], costs: RepairCosts, market: SaleMarket, policy: Policy): Plan | null {
  const broken = new Set(defects.flatMap(({ repairs }) => repairs))
  let cheapest = 0
  for (const [kind, { spending }] of costs) {
    if (!broken.has(kind) && !NO_PARTS.has(kind)) cheapest += spending.parts.low
  }
  if (cheapest === 0) return null
  const isTested = defects.every(({ isGradable }) => isGradable)
  const wanted = cheapest * (isTested ? 1 : UNTESTED)
  // Nobody pays more for the parts of a device than for a working one.
  const value = Math.min(wanted, market.resale.Poor.middle / USED_PART.middle)
  const work = (DISMANTLING_MINUTES / 60) * policy.labourPerHour
  return {
    name: 'parts',
    soldAs: null,
    price: { middle: value * USED_PART.middle, low: value * USED_PART.low, high: value * USED_PART.high },
    repairs: [],
    spending: { parts: NOTHING_SPENT.parts, labour: { middle: work, low: work, high: work } },
    deduction: 0,
  }
}

function ungraded(defects: readonly Defect[]): string {
  const why = defects.filter(({ isGradable }) => !isGradable).map(({ name }) => name)
  return `A device with this has no grade: ${why.join(', ')}.`
}
