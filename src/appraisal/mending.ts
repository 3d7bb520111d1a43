import type { FaultKind } from '../repair/kind.ts'
import { labourRange } from '../repair/labour.ts'
import type { Defect } from './defect.ts'
import type { Range, Spending } from './sum.ts'

/** What is known of one repair of one device; the cost of its parts in the currency of the appraisal. */
export type RepairOption = {
  readonly kind: FaultKind
  readonly name: string
  /** Null when no source says how long it takes. */
  readonly minutes: number | null
  readonly parts: { readonly min: number; readonly max: number }
}

/** Every repair of a device whose cost is known. */
export type RepairCosts = ReadonlyMap<FaultKind, RepairCost>

/** A repair nobody timed takes an hour. */
const UNTIMED_MINUTES = 60

/** What one repair costs. */
export type RepairCost = RepairOption & { readonly spending: Spending }

export function costOf(option: RepairOption, labourPerHour: number): RepairCost {
  const { min, max } = option.parts
  const { minCents, maxCents } = labourRange(option.minutes ?? UNTIMED_MINUTES, labourPerHour)
  return {
    ...option,
    spending: {
      // From an aftermarket part to the maker's own is a factor of three, and most buy near the lower end: the middle of such
      // a range is its geometric mean.
      parts: { middle: min > 0 ? Math.sqrt(min * max) : max / 2, low: min, high: max },
      labour: { middle: (minCents + maxCents) / 2, low: minCents, high: maxCents },
    },
  }
}

export const middleOf = ({ spending }: RepairCost) => spending.parts.middle + spending.labour.middle

/** Several repairs of one device: dear parts are dear for all of them, so the ends of their ranges add up too. */
export function together(costs: readonly RepairCost[]): Spending {
  const sum = (of: (spending: Spending) => Range): Range =>
    costs.map(({ spending }) => of(spending)).reduce(add, { middle: 0, low: 0, high: 0 })
  return { parts: sum(({ parts }) => parts), labour: sum(({ labour }) => labour) }
}

function add(left: Range, right: Range): Range {
  return { middle: left.middle + right.middle, low: left.low + right.low, high: left.high + right.high }
}

/** The repair that a defect is reckoned with: of those it could need, the dearest that is known. */
export function repairFor(
  { repairs }: Defect,
  costs: RepairCosts,
): { kind: FaultKind; cost: RepairCost | null } | null {
  const [first] = repairs
  if (!first) return null
  const known = repairs.flatMap((kind) => costs.get(kind) ?? [])
  const dearest = known.reduce<RepairCost | null>(
    (most, cost) => (most && middleOf(most) >= middleOf(cost) ? most : cost),
    null,
  )
  return { kind: dearest?.kind ?? first, cost: dearest }
}
