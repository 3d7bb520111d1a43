import type { Device, Variant } from '../catalog/device.ts'
import { type COST_BASES, type CommonRepairWire, type RepairWire, repairabilityRating } from '../contract/repair.ts'
import { isoInstant } from '../lib/time.ts'
import { faultWeight } from './fault-frequency.ts'
import { labourCost } from './labour-cost.ts'
import { isApplicable, type MergedFacts, type MergedRepair } from './merged-facts.ts'
import { REFERENCE_SOURCE } from './part-cost.ts'
import { BUNDLED_SOURCE, type CostRange, isBundled, type Sourced } from './repair-fact.ts'
import type { RepairProfile } from './repair-fact-index.ts'
import { averageRepairCost, dataCompleteness, type ResaleByGrade, repairRoi } from './repair-metrics.ts'
import { type PresentedNote, presentNote, presentSourceNote } from './repair-notes.ts'

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
  const notes = [
    ...facts.notes.map((note) => presentSourceNote(note.value)),
    ...(completeness > 0 ? specificationNotes(device) : []),
    ...(completeness > 0 ? originNotes({ score: facts.score, repairs }) : []),
    ...(cost ? costNotes(repairs, labourCentsPerHour) : []),
  ]
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
    repair_return: presentReturn(resale, cost),
    technical_notes: notes.map(({ text }) => text),
    technical_note_codes: notes.map(({ code, params }) => ({ code, params })),
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
      // A parts programme of the maker is not the stock of a shop.
      availability: part.availability && !isBundled(part.availability) ? part.availability.value : 'unknown',
      ...originOf(part.cost),
      ...(part.cost?.ownShare ? { own_share: Math.round(100 * part.cost.ownShare) } : {}),
    })),
    labour_min: labour?.minCents ?? null,
    labour_max: labour?.maxCents ?? null,
    ...labourOrigin(repair.minutes),
    repairsite_guide_url: repair.guideUrl?.value ?? null,
  }
}

type CostOrigin = {
  readonly source: string | null
  readonly basis: (typeof COST_BASES)[number] | null
  readonly confidence: number | null
}

/** Percent for a fact that a source states, by how closely it concerns the device. */
const STATED_CONFIDENCE = { variant: 90, device: 90, line: 60, category: 40 } as const
/** Bundled times are usual practice, not measurements of a shop. */
const BUNDLED_PENALTY = 20

function originOf(cost: Sourced<unknown> | null): CostOrigin {
  if (!cost) return { source: null, basis: null, confidence: null }
  const isForDevice = cost.level === 'variant' || cost.level === 'device'
  return {
    source: isBundled(cost) ? cost.source.slice(BUNDLED_SOURCE.length + 2) : cost.source,
    basis: cost.confidence === undefined && isForDevice ? 'listed' : 'estimated',
    confidence: cost.confidence ?? STATED_CONFIDENCE[cost.level] - (isBundled(cost) ? BUNDLED_PENALTY : 0),
  }
}

function labourOrigin(minutes: MergedRepair['minutes']) {
  const { source, basis, confidence } = originOf(minutes)
  return { labour_source: source, labour_basis: basis, labour_confidence: confidence }
}

function presentCost(cost: CostRange | null): RepairWire['average_repair_cost'] {
  return cost && { min: cost.minCents, max: cost.maxCents, currency: CURRENCY }
}

/** The two amounts that the indicator compares. */
function presentReturn(resale: ResaleByGrade | null, cost: CostRange | null): RepairWire['repair_return'] {
  return resale && cost
    ? { resale_gain: resale.goodCents - resale.poorCents, repair_cost: cost.minCents, currency: CURRENCY }
    : null
}

/** Specifications needed to order parts. */
function specificationNotes({ specifications: { display, battery } }: Device): PresentedNote[] {
  return [
    ...(display ? [presentNote('spec_display', { value: display })] : []),
    ...(battery ? [presentNote('spec_battery', { value: battery })] : []),
  ]
}

/** Notes on the origin of our figures, so that estimates are not mistaken for observations. */
function originNotes({ score, repairs }: Pick<MergedFacts, 'score' | 'repairs'>): PresentedNote[] {
  const notes: PresentedNote[] = []
  if (score?.value.rubricYear) notes.push(presentNote('score_rubric', { year: score.value.rubricYear }))
  if (score?.level === 'line') notes.push(presentNote('score_of_line'))
  if (score?.level === 'category') notes.push(presentNote('score_of_category'))
  if (repairs.length === 0) notes.push(presentNote('no_repairs'))
  const programmeParts = repairs
    .flatMap((repair) => repair.parts)
    .filter((part) => part.availability && isBundled(part.availability))
  if (programmeParts.length > 0) {
    const parts = [...new Set(programmeParts.map(({ kind }) => kind))]
    const names = [...new Set(programmeParts.map(({ name }) => name))].join(', ')
    notes.push(presentNote('parts_programme', { parts }, { parts: names }))
  }
  return notes
}

function costNotes(repairs: readonly MergedRepair[], labourCentsPerHour: number): PresentedNote[] {
  const priced = repairs.filter((repair) => repair.parts.some((part) => part.cost))
  const notes: PresentedNote[] = []
  if (priced.some((repair) => repair.parts.some((part) => part.cost?.source === REFERENCE_SOURCE))) {
    notes.push(presentNote('cost_reference'))
  }
  notes.push(
    presentNote('cost_average', { rate: labourCentsPerHour }, { rate: dollars(labourCentsPerHour) }),
    presentNote('cost_return'),
  )
  const untimed = priced.filter((repair) => repair.minutes === null)
  if (untimed.length > 0) {
    const names = untimed.map(({ name }) => name).join(', ')
    notes.push(presentNote('labour_missing', { repairs: untimed.map(({ kind }) => kind) }, { repairs: names }))
  }
  return notes
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(cents % 100 === 0 ? 0 : 2)}`
}
