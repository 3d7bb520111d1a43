import type { Device, Variant } from '../catalog/device.ts'
import { type CommonRepairWire, type RepairWire, repairabilityRating } from '../contract/repair.ts'
import { isoInstant } from '../lib/time.ts'
import { faultWeight } from './fault-frequency.ts'
import { labourCost } from './labour-cost.ts'
import { isApplicable, type MergedFacts, type MergedRepair } from './merged-facts.ts'
import { REFERENCE_SOURCE } from './part-cost.ts'
import { type CostRange, isBundled } from './repair-fact.ts'
import type { RepairProfile } from './repair-fact-index.ts'
import { averageRepairCost, dataCompleteness, type ResaleByGrade, repairRoi } from './repair-metrics.ts'

const CURRENCY = 'USD' as const

/** The repair profile as the API document defines it; every field is present, known or not. */
export function presentRepairs(
  device: Device,
  variant: Variant | null,
  profile: RepairProfile,
  resale: ResaleByGrade | null,
  labourCentsPerHour: number,
): RepairWire {
  const { facts, shares } = profile
  const repairs = facts.repairs.filter((repair) => isApplicable(facts, repair.kind, repair.level))
  const failures = facts.failurePoints.filter((point) => isApplicable(facts, point.value.fault, point.level))
  const cost = averageRepairCost(repairs, shares, labourCentsPerHour)
  const score = facts.score?.value.value ?? null
  // Without any facts all lists stay empty, as the API document says.
  const completeness = dataCompleteness(facts)
  return {
    device_id: device.id,
    device_name: device.name,
    variant_id: variant?.id ?? null,
    repairsite_score: score,
    repairability_rating: repairabilityRating(score),
    common_repairs: repairs
      .toSorted((a, b) => faultWeight(shares, b.kind) - faultWeight(shares, a.kind))
      .map((repair) => presentRepair(repair, labourCentsPerHour)),
    // Faults without records come last, in their original order.
    common_failure_points: failures
      .toSorted((a, b) => (shares.get(b.value.fault) ?? 0) - (shares.get(a.value.fault) ?? 0))
      .map((point) => point.value.text),
    average_repair_cost: presentCost(cost),
    repair_roi_indicator: repairRoi(resale, cost),
    technical_notes: [
      ...facts.notes.map((note) => note.value),
      ...(completeness > 0 ? specificationNotes(device) : []),
      ...(completeness > 0 ? presentNotes({ score: facts.score, repairs }) : []),
      ...(cost ? costNotes(repairs, labourCentsPerHour) : []),
    ],
    proprietary_parts: [...(facts.proprietaryParts?.value ?? [])],
    special_tools_required: [...(facts.specialTools?.value ?? [])],
    last_updated: isoInstant(facts.updatedAt),
    source: 'repairsite',
    data_completeness: completeness,
  }
}

function presentRepair(repair: MergedRepair, labourCentsPerHour: number): CommonRepairWire {
  const labour = labourCost(repair, labourCentsPerHour)
  return {
    name: repair.name,
    difficulty: repair.difficulty?.value ?? null,
    estimated_time_minutes: repair.minutes?.value ?? null,
    parts: repair.parts.map((part) => ({
      name: part.name,
      cost_min: part.cost?.value.minCents ?? null,
      cost_max: part.cost?.value.maxCents ?? null,
      currency: CURRENCY,
      availability: part.availability?.value ?? 'unknown',
    })),
    labour_min: labour?.minCents ?? null,
    labour_max: labour?.maxCents ?? null,
    repairsite_guide_url: repair.guideUrl?.value ?? null,
  }
}

function presentCost(cost: CostRange | null): RepairWire['average_repair_cost'] {
  return cost && { min: cost.minCents, max: cost.maxCents, currency: CURRENCY }
}

/** Specifications needed to order parts. */
function specificationNotes({ specifications: { display, battery } }: Device): string[] {
  return [...(display ? [`Screen: ${display}.`] : []), ...(battery ? [`Battery: ${battery}.`] : [])]
}

/** Notes on the origin of our figures, so that estimates are not mistaken for observations. */
function presentNotes({ score, repairs }: Pick<MergedFacts, 'score' | 'repairs'>): string[] {
  const notes: string[] = []
  if (score?.value.rubricYear) {
    notes.push(`The repairability score was given by the rubric of ${score.value.rubricYear}.`)
  }
  if (score && score.level !== 'device' && score.level !== 'variant') {
    notes.push(`The repairability score is that of the ${score.level}, not of this model.`)
  }
  if (repairs.length === 0) notes.push('No repairs are documented for this device.')
  const parts = repairs.flatMap((repair) => repair.parts)
  if (parts.some((part) => part.availability && isBundled(part.availability))) {
    notes.push("Availability tells that the maker's public parts programme lists the part, not the day's stock.")
  }
  return notes
}

function costNotes(repairs: readonly MergedRepair[], labourCentsPerHour: number): string[] {
  const priced = repairs.filter((repair) => repair.parts.some((part) => part.cost))
  const notes: string[] = []
  if (priced.some((repair) => repair.parts.some((part) => part.cost?.source === REFERENCE_SOURCE))) {
    notes.push('Part costs are reference ranges by family and age, not quotations.')
  }
  notes.push(
    `The average repair cost is parts and labour, at ${dollars(labourCentsPerHour)} an hour for a third of the documented time (a refurbisher) up to all of it.`,
    'The return on repair takes its lower end: a good aftermarket part fitted by a refurbisher.',
  )
  const untimed = priced.filter((repair) => repair.minutes === null).map((repair) => repair.name)
  if (untimed.length > 0) notes.push(`Labour is not included where no time is documented: ${untimed.join(', ')}.`)
  return notes
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(cents % 100 === 0 ? 0 : 2)}`
}
