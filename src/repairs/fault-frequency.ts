import type { FaultKind } from './fault-kinds.ts'
import type { FailurePoint, Sourced } from './repair-fact.ts'

export type FaultCounts = ReadonlyMap<FaultKind, number>
export type FaultShares = ReadonlyMap<FaultKind, number>

/** A narrower group must bring this many records before it weighs as much as the wider one behind it. */
export const PRIOR_WEIGHT = 25
/** A fault nobody counted still happens: it weighs as one record in a hundred. */
export const MIN_FAULT_SHARE = 0.01

/**
 * How often each fault occurs, from the widest group to the narrowest (category, make, device). Each group is drawn towards
 * the one before it as if that had contributed `PRIOR_RECORDS` records, so three records of one model do not overturn a thousand.
 */
export function estimateFaultShares(groups: readonly FaultCounts[]): FaultShares {
  let shares = new Map<FaultKind, number>()
  for (const counts of groups) {
    const total = sum(counts.values())
    if (total === 0) continue
    const prior = shares.size > 0 ? PRIOR_WEIGHT : 0
    const next = new Map<FaultKind, number>()
    for (const fault of new Set([...shares.keys(), ...counts.keys()])) {
      next.set(fault, ((counts.get(fault) ?? 0) + prior * (shares.get(fault) ?? 0)) / (total + prior))
    }
    shares = next
  }
  return shares
}

/** Most frequent first; what was never counted keeps its own order, after what was. */
export function sortByFrequency(
  points: readonly Sourced<FailurePoint>[],
  shares: FaultShares,
): Sourced<FailurePoint>[] {
  return points.toSorted((a, b) => (shares.get(b.value.fault) ?? 0) - (shares.get(a.value.fault) ?? 0))
}

export function faultWeight(shares: FaultShares, fault: FaultKind): number {
  return Math.max(MIN_FAULT_SHARE, shares.get(fault) ?? 0)
}

function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}
