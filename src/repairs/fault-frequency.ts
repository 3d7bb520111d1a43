import type { FaultKind } from './fault-kinds.ts'

export type FaultCounts = ReadonlyMap<FaultKind, number>
export type FaultShares = ReadonlyMap<FaultKind, number>

/** Prior weight of the wider group, in records. */
export const PRIOR_WEIGHT = 25
/** Share of a fault without records: it still happens. */
export const MIN_FAULT_SHARE = 0.01

/**
 * Share of each fault, from the widest group to the narrowest (category, make, device). Each group is shrunk towards the one
 * before it, which counts as `PRIOR_WEIGHT` records, so that three records of one model do not outweigh a thousand.
 */
export function estimateFaultShares(groups: readonly FaultCounts[]): FaultShares {
  let shares = new Map<FaultKind, number>()
  for (const counts of groups) {
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
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

export function faultWeight(shares: FaultShares, fault: FaultKind): number {
  return Math.max(MIN_FAULT_SHARE, shares.get(fault) ?? 0)
}
