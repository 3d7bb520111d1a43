import type { Device, Variant } from '../catalog/device.ts'
import { slug } from '../catalog/device.ts'
import { startOfDay } from '../lib/time.ts'
import { absentPartsOf } from './absent-parts.ts'
import { estimateFaultShares, type FaultCounts, type FaultShares } from './fault-frequency.ts'
import { FAULTS, type FactLevel, type FaultKind } from './fault-kinds.ts'
import { type EstimatePartCost, type MergedFacts, mergeFacts } from './merged-facts.ts'
import { type OwnPartCosts, withOwnCost } from './own-part-costs.ts'
import { type CostModel, estimatePartCost, OWN_COST_SOURCE } from './part-cost.ts'
import { findProductLine, type ProductLine } from './product-line.ts'
import { type FactRecord, NO_FACTS } from './repair-fact.ts'

/** Number of faults seen by repairers. An empty make or device id means that the record did not state it. */
export type FaultCountRecord = {
  readonly category: string
  readonly make: string
  readonly deviceId: string
  readonly fault: FaultKind
  readonly count: number
}

/** Data shipped with the program. */
export type BundledRepairData = {
  readonly lines: readonly ProductLine[]
  readonly costs: CostModel
  readonly bundledFacts: readonly FactRecord[]
  readonly bundledFaults: readonly FaultCountRecord[]
}

/** Imported data; overrides bundled data. */
export type ImportedRepairData = {
  readonly importedFacts: readonly FactRecord[]
  readonly importedFaults: readonly FaultCountRecord[]
}

export type RepairData = BundledRepairData & ImportedRepairData

export type RepairProfile = {
  readonly facts: MergedFacts
  readonly shares: FaultShares
  /** Estimates the cost of a part without a stated cost. */
  readonly estimateCost: EstimatePartCost
  /** The product line, or the category without one. */
  readonly family: string
}
/**
 * `goodCents`: price of the device in good condition, which limits estimated part costs; null if it is not known. `ownCosts`: what the
 * organization paid for parts.
 */
export type FindRepairProfile = (
  device: Device,
  variant: Variant | null,
  goodCents?: number | null,
  ownCosts?: OwnPartCosts | null,
) => RepairProfile

const STATISTICS_SOURCE = 'failure statistics'
const ABSENCE_SOURCE = 'product specifications'
/** Fewer records of a fault on one model may be chance. */
const MIN_WEAKNESS_RECORDS = 3

/** Percent: a further part costs about what the last ones did. */
const MAX_OWN_CONFIDENCE = 85

/** Indexes all data once; the returned function only looks up and merges. */
export function indexRepairData(data: RepairData): FindRepairProfile {
  const records = indexRecords(data)
  const bundled = indexFaults(data.bundledFaults)
  const imported = indexFaults(data.importedFaults)
  const bundledAt = data.bundledFacts.reduce(
    (newest, { updatedAt }) => Math.max(newest, updatedAt),
    startOfDay(data.costs.pricedOn),
  )

  return (device, variant, goodCents = null, ownCosts = null) => {
    const category = slug(device.category)
    const line = findProductLine(data.lines, device)
    const deviceCounts = imported.device.get(device.id)
    const recordsOf = (level: FactLevel, subject: string | undefined) =>
      subject === undefined ? [] : (records.get(`${level} ${subject}`) ?? [])
    const ownRecords = [...recordsOf('variant', variant?.id), ...recordsOf('device', device.id)]
    const sharedRecords = [...recordsOf('line', line?.id), ...recordsOf('category', category)]
    const absent = [...absentPartsOf(device)]
    if (absent.length > 0) ownRecords.push(absenceRecord(device.id, absent))
    const chain = [...ownRecords, ...knownWeaknesses(device.id, deviceCounts, sharedRecords), ...sharedRecords]
    const makeCounts = imported.make.get(`${category} ${device.make.toLowerCase()}`)
    // Each record counts once: wider groups exclude the records of narrower ones.
    const groups = [
      bundled.category.get(category),
      subtractCounts(imported.category.get(category), makeCounts),
      subtractCounts(makeCounts, deviceCounts),
      deviceCounts,
    ]
    const family = line?.id ?? category
    const estimateCost: EstimatePartCost = (part) => {
      const usual = estimatePartCost(data.costs, device, { line: line?.id ?? null, category }, part, goodCents)
      const own = usual && ownCosts?.costOf({ part, family, deviceId: device.id })
      if (!own) return usual
      return {
        value: withOwnCost(usual.value, own),
        level: usual.level,
        source: own.share > 0 ? OWN_COST_SOURCE : usual.source,
        confidence: Math.max(usual.confidence ?? 0, Math.round(MAX_OWN_CONFIDENCE * own.share)),
        ownShare: own.share,
      }
    }
    return {
      facts: mergeFacts(chain, estimateCost, bundledAt),
      estimateCost,
      family,
      shares: estimateFaultShares(groups.filter((counts) => counts !== undefined)),
    }
  }
}

/** Facts of the line and the category about parts that the device does not have do not apply to it. */
const absenceRecord = (subject: string, without: readonly FaultKind[]): FactRecord => ({
  ...{ level: 'device', subject, source: ABSENCE_SOURCE, updatedAt: 0 },
  ...{ ...NO_FACTS, without },
})

/** Within a level the newest import comes first and bundled records last. */
function indexRecords({ importedFacts: imported, bundledFacts: bundled }: RepairData): Map<string, FactRecord[]> {
  const records = [...imported.toSorted((a, b) => b.updatedAt - a.updatedAt), ...bundled]
  return Map.groupBy(records, ({ level, subject }) => `${level} ${subject}`)
}

type FaultIndex = Record<'category' | 'make' | 'device', Map<string, FaultCounts>>

function indexFaults(records: readonly FaultCountRecord[]): FaultIndex {
  const groups = { category: new Map(), make: new Map(), device: new Map() } as Record<
    keyof FaultIndex,
    Map<string, Map<FaultKind, number>>
  >
  const addTo = (group: keyof FaultIndex, key: string, { fault, count: increment }: FaultCountRecord) => {
    const counts = groups[group].get(key) ?? new Map<FaultKind, number>()
    counts.set(fault, (counts.get(fault) ?? 0) + increment)
    groups[group].set(key, counts)
  }
  for (const record of records) {
    addTo('category', record.category, record)
    if (record.make) addTo('make', `${record.category} ${record.make.toLowerCase()}`, record)
    if (record.deviceId) addTo('device', record.deviceId, record)
  }
  return groups
}

function subtractCounts(counts: FaultCounts | undefined, narrower: FaultCounts | undefined): FaultCounts | undefined {
  if (!counts || !narrower) return counts
  return new Map([...counts].map(([fault, count]) => [fault, count - (narrower.get(fault) ?? 0)]))
}

/** Frequent faults of this model as failure points, with the text of its line or category. */
function knownWeaknesses(
  deviceId: string,
  counts: FaultCounts | undefined,
  sharedRecords: readonly FactRecord[],
): FactRecord[] {
  const sharedPoints = sharedRecords.flatMap((record) => record.failurePoints)
  const points = [...(counts ?? [])]
    .filter(([fault, count]) => count >= MIN_WEAKNESS_RECORDS && fault !== 'software')
    .map(([fault]) => sharedPoints.find((point) => point.fault === fault) ?? { fault, text: FAULTS[fault].failure })
  if (points.length === 0) return []
  const origin = { level: 'device', subject: deviceId, source: STATISTICS_SOURCE, updatedAt: 0 } as const
  return [{ ...origin, ...NO_FACTS, failurePoints: points }]
}
