import type { FaultKind } from '../repairs/fault-kinds.ts'
import { labourRange } from '../repairs/labour-cost.ts'
import type { DefectRule } from './defect.ts'
import type { Estimate80, RepairSpending } from './evaluate-plan.ts'

/** One repair of one device, with part costs in the currency of the appraisal. */
export type ConvertedRepair = {
  readonly kind: FaultKind
  readonly name: string
  /** Null when no source says how long it takes. */
  readonly minutes: number | null
  readonly parts: { readonly min: number; readonly max: number }
}

/** All repairs of a device with a known cost. */
export type RepairCosts = ReadonlyMap<FaultKind, RepairCost>

/** Assumed duration of a repair without a documented time. */
const DEFAULT_REPAIR_MINUTES = 60

export type RepairCost = ConvertedRepair & { readonly cost: RepairSpending }

export function calculateRepairCost(option: ConvertedRepair, labourPerHour: number): RepairCost {
  const { min, max } = option.parts
  const { minCents, maxCents } = labourRange(option.minutes ?? DEFAULT_REPAIR_MINUTES, labourPerHour)
  return {
    ...option,
    cost: {
      // Part prices span a factor of three and most buyers choose the lower end: the geometric mean is the best median.
      parts: { median: min > 0 ? Math.sqrt(min * max) : max / 2, low: min, high: max },
      labour: { median: (minCents + maxCents) / 2, low: minCents, high: maxCents },
    },
  }
}

export const medianCost = ({ cost: spending }: RepairCost) => spending.parts.median + spending.labour.median

/** Total of several repairs. Part prices of one device are correlated, so the interval ends add up too. */
export function totalCost(costs: readonly RepairCost[]): RepairSpending {
  const sum = (select: (spending: RepairSpending) => Estimate80): Estimate80 =>
    costs.map(({ cost: spending }) => select(spending)).reduce(addEstimates, { median: 0, low: 0, high: 0 })
  return { parts: sum(({ parts }) => parts), labour: sum(({ labour }) => labour) }
}

function addEstimates(left: Estimate80, right: Estimate80): Estimate80 {
  return { median: left.median + right.median, low: left.low + right.low, high: left.high + right.high }
}

/** The repair assumed for a defect: the most expensive one with a known cost. */
export function selectRepair(
  { repairs }: DefectRule,
  costs: RepairCosts,
): { kind: FaultKind; cost: RepairCost | null } | null {
  const [first] = repairs
  if (!first) return null
  const priced = repairs.flatMap((kind) => costs.get(kind) ?? [])
  const mostExpensive = priced.reduce<RepairCost | null>(
    (highest, cost) => (highest && medianCost(highest) >= medianCost(cost) ? highest : cost),
    null,
  )
  return { kind: mostExpensive?.kind ?? first, cost: mostExpensive }
}
