import type { FaultKind } from '../repairs/fault-kinds.ts'
import { labourRange } from '../repairs/labour-cost.ts'
import type { DefectRule } from './defect.ts'
import type { Estimate80, RepairSpending } from './evaluate-plan.ts'

/** What is known of one repair of one device; the cost of its parts in the currency of the appraisal. */
export type ConvertedRepair = {
  readonly kind: FaultKind
  readonly name: string
  /** Null when no source says how long it takes. */
  readonly minutes: number | null
  readonly parts: { readonly min: number; readonly max: number }
}

/** Every repair of a device whose cost is known. */
export type RepairCosts = ReadonlyMap<FaultKind, RepairCost>

/** A repair nobody timed takes an hour. */
const DEFAULT_REPAIR_MINUTES = 60

/** What one repair costs. */
export type RepairCost = ConvertedRepair & { readonly cost: RepairSpending }

export function calculateRepairCost(option: ConvertedRepair, labourPerHour: number): RepairCost {
  const { min, max } = option.parts
  const { minCents, maxCents } = labourRange(option.minutes ?? DEFAULT_REPAIR_MINUTES, labourPerHour)
  return {
    ...option,
    cost: {
      // From an aftermarket part to the maker's own is a factor of three, and most buy near the lower end: the middle of such
      // a range is its geometric mean.
      parts: { median: min > 0 ? Math.sqrt(min * max) : max / 2, low: min, high: max },
      labour: { median: (minCents + maxCents) / 2, low: minCents, high: maxCents },
    },
  }
}

export const medianCost = ({ cost: spending }: RepairCost) => spending.parts.median + spending.labour.median

/** Several repairs of one device: dear parts are dear for all of them, so the ends of their ranges add up too. */
export function totalCost(costs: readonly RepairCost[]): RepairSpending {
  const sum = (of: (spending: RepairSpending) => Estimate80): Estimate80 =>
    costs.map(({ cost: spending }) => of(spending)).reduce(addEstimates, { median: 0, low: 0, high: 0 })
  return { parts: sum(({ parts }) => parts), labour: sum(({ labour }) => labour) }
}

function addEstimates(left: Estimate80, right: Estimate80): Estimate80 {
  return { median: left.median + right.median, low: left.low + right.low, high: left.high + right.high }
}

/** The repair that a defect is reckoned with: of those it could need, the dearest that is known. */
export function selectRepair(
  { repairs }: DefectRule,
  costs: RepairCosts,
): { kind: FaultKind; cost: RepairCost | null } | null {
  const [first] = repairs
  if (!first) return null
  const known = repairs.flatMap((kind) => costs.get(kind) ?? [])
  const dearest = known.reduce<RepairCost | null>(
    (most, cost) => (most && medianCost(most) >= medianCost(cost) ? most : cost),
    null,
  )
  return { kind: dearest?.kind ?? first, cost: dearest }
}
