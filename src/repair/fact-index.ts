import type { Device, Variant } from '../catalog/device.ts'
import { slug } from '../catalog/device.ts'
import type { FactRecord } from './fact.ts'
import { type FaultCounts, type FaultShares, faultShares } from './failure.ts'
import { FAULT_WORDS, type FaultKind, type Level } from './kind.ts'
import { type EstimateCost, type MergedFacts, mergeFacts } from './merged-facts.ts'
import { type CostModel, referenceCost } from './part-cost.ts'
import { type Line, lineOf } from './product-line.ts'

/** Records of faults seen by repairers. An empty make or device id means that the record did not say. */
export type FaultTally = {
  readonly category: string
  readonly make: string
  readonly deviceId: string
  readonly fault: FaultKind
  readonly seen: number
}

/** What the program carries itself. */
export type OnBoard = {
  readonly lines: readonly Line[]
  readonly costs: CostModel
  readonly onBoard: readonly FactRecord[]
  readonly faultsOnBoard: readonly FaultTally[]
}

/** What imports brought; it speaks before what is on board. */
export type Imported = { readonly imported: readonly FactRecord[]; readonly faultsImported: readonly FaultTally[] }

export type KnownFacts = OnBoard & Imported

export type RepairPicture = {
  readonly facts: MergedFacts
  readonly shares: FaultShares
  /** Says what a part costs that no source names. */
  readonly estimateCost: EstimateCost
}
export type PictureOf = (device: Device, variant: Variant | null) => RepairPicture

const STATISTICS_SOURCE = 'failure statistics'
/** Fewer records of one fault on one model are chance, not a weakness of the model. */
const RECORDS_OF_A_WEAKNESS = 3

/** Indexes everything known once; the function it returns only looks up and merges. */
export function indexFacts(known: KnownFacts): PictureOf {
  const records = indexRecords(known)
  const onBoard = indexFaults(known.faultsOnBoard)
  const imported = indexFaults(known.faultsImported)

  return (device, variant) => {
    const category = slug(device.category)
    const line = lineOf(known.lines, device)
    const counted = imported.device.get(device.id)
    const at = (level: Level, subject: string | undefined) =>
      subject === undefined ? [] : (records.get(`${level} ${subject}`) ?? [])
    const near = [...at('variant', variant?.id), ...at('device', device.id)]
    const wide = [...at('line', line?.id), ...at('category', category)]
    const chain = [...near, ...weaknesses(device.id, counted, wide), ...wide]
    const ofMake = imported.make.get(`${category} ${device.make.toLowerCase()}`)
    // Each record speaks once: a wider group leaves out what a narrower one says itself.
    const groups = [
      onBoard.category.get(category),
      without(imported.category.get(category), ofMake),
      without(ofMake, counted),
      counted,
    ]
    const estimateCost: EstimateCost = (part) =>
      referenceCost(known.costs, device, { line: line?.id ?? null, category }, part)
    return {
      facts: mergeFacts(chain, estimateCost),
      estimateCost,
      shares: faultShares(groups.filter((counts) => counts !== undefined)),
    }
  }
}

/** Within a level the newest import speaks first and what is on board last. */
function indexRecords({ imported, onBoard }: KnownFacts): Map<string, FactRecord[]> {
  const index = new Map<string, FactRecord[]>()
  for (const record of [...imported.toSorted((a, b) => b.updatedAt - a.updatedAt), ...onBoard]) {
    const key = `${record.level} ${record.subject}`
    const list = index.get(key)
    if (list) list.push(record)
    else index.set(key, [record])
  }
  return index
}

type FaultIndex = Record<'category' | 'make' | 'device', Map<string, FaultCounts>>

function indexFaults(tallies: readonly FaultTally[]): FaultIndex {
  const groups = { category: new Map(), make: new Map(), device: new Map() } as Record<
    keyof FaultIndex,
    Map<string, Map<FaultKind, number>>
  >
  const count = (group: keyof FaultIndex, key: string, { fault, seen }: FaultTally) => {
    const counts = groups[group].get(key) ?? new Map<FaultKind, number>()
    counts.set(fault, (counts.get(fault) ?? 0) + seen)
    groups[group].set(key, counts)
  }
  for (const tally of tallies) {
    count('category', tally.category, tally)
    if (tally.make) count('make', `${tally.category} ${tally.make.toLowerCase()}`, tally)
    if (tally.deviceId) count('device', tally.deviceId, tally)
  }
  return groups
}

function without(counts: FaultCounts | undefined, narrower: FaultCounts | undefined): FaultCounts | undefined {
  if (!counts || !narrower) return counts
  return new Map([...counts].map(([fault, seen]) => [fault, seen - (narrower.get(fault) ?? 0)]))
}

/** What repairers saw break on this very model, as facts of its own, worded as its line or category words them. */
function weaknesses(deviceId: string, counts: FaultCounts | undefined, wide: readonly FactRecord[]): FactRecord[] {
  const worded = wide.flatMap((record) => record.failurePoints)
  const points = [...(counts ?? [])]
    .filter(([fault, seen]) => seen >= RECORDS_OF_A_WEAKNESS && fault !== 'software')
    .map(([fault]) => worded.find((point) => point.fault === fault) ?? { fault, text: FAULT_WORDS[fault].failure })
  if (points.length === 0) return []
  return [
    {
      level: 'device',
      subject: deviceId,
      source: STATISTICS_SOURCE,
      updatedAt: 0,
      score: null,
      repairs: [],
      failurePoints: points,
      notes: [],
      proprietaryParts: null,
      specialTools: null,
      without: [],
    },
  ]
}
