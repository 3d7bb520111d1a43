import type { RepairPicture } from './fact-index.ts'
import { FAULT_KINDS, FAULT_WORDS, type FaultKind } from './kind.ts'
import { applies } from './merged-facts.ts'

/** One repair of one device, whether or not it is common: what its parts cost and how long it takes, where that is known. */
export type KnownRepair = {
  readonly kind: FaultKind
  readonly name: string
  readonly minutes: number | null
  readonly partsMinCents: number
  readonly partsMaxCents: number
}

/** Every repair whose parts have a price. What the device has none of is not among them. */
export function knownRepairs({ facts, estimateCost }: RepairPicture): ReadonlyMap<FaultKind, KnownRepair> {
  const known = new Map<FaultKind, KnownRepair>()
  for (const repair of facts.repairs) {
    if (!applies(facts, repair.kind, repair.level)) continue
    const costs = repair.parts.flatMap(({ cost }) => cost?.value ?? [])
    if (costs.length === 0) continue
    known.set(repair.kind, {
      kind: repair.kind,
      name: repair.name,
      minutes: repair.minutes?.value ?? null,
      partsMinCents: costs.reduce((sum, { minCents }) => sum + minCents, 0),
      partsMaxCents: costs.reduce((sum, { maxCents }) => sum + maxCents, 0),
    })
  }
  for (const kind of FAULT_KINDS) {
    if (known.has(kind) || !applies(facts, kind, 'category')) continue
    const cost = estimateCost(kind)?.value
    if (!cost) continue
    const name = FAULT_WORDS[kind].repair
    known.set(kind, { kind, name, minutes: null, partsMinCents: cost.minCents, partsMaxCents: cost.maxCents })
  }
  return known
}
