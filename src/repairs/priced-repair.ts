import { FAULT_KINDS, FAULTS, type FaultKind } from './fault-kinds.ts'
import { isApplicable } from './merged-facts.ts'
import type { RepairProfile } from './repair-fact-index.ts'

/** One repair of one device, common or not, with the cost of its parts and its time if known. */
export type PricedRepair = {
  readonly kind: FaultKind
  readonly name: string
  readonly minutes: number | null
  readonly partsMinCents: number
  readonly partsMaxCents: number
}

/** All repairs whose parts have a price, without those of components that the device does not have. */
export function listPricedRepairs({ facts, estimateCost }: RepairProfile): ReadonlyMap<FaultKind, PricedRepair> {
  const pricedRepairs = new Map<FaultKind, PricedRepair>()
  for (const repair of facts.repairs) {
    if (!isApplicable(facts, repair.kind, repair.level)) continue
    const costs = repair.parts.flatMap(({ cost }) => cost?.value ?? [])
    if (costs.length === 0) continue
    pricedRepairs.set(repair.kind, {
      kind: repair.kind,
      name: repair.name,
      minutes: repair.minutes?.value ?? null,
      partsMinCents: costs.reduce((sum, { minCents }) => sum + minCents, 0),
      partsMaxCents: costs.reduce((sum, { maxCents }) => sum + maxCents, 0),
    })
  }
  for (const kind of FAULT_KINDS) {
    if (pricedRepairs.has(kind) || !isApplicable(facts, kind, 'category')) continue
    const cost = estimateCost(kind)?.value
    if (!cost) continue
    const name = FAULTS[kind].repair
    pricedRepairs.set(kind, { kind, name, minutes: null, partsMinCents: cost.minCents, partsMaxCents: cost.maxCents })
  }
  return pricedRepairs
}
