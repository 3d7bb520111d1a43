import type { Device, Variant } from '../catalog/device.ts'
import { type RepairWire, ratingOf } from '../contract/repair.ts'
import { isoInstant } from '../time.ts'
import { averageRepairCost, dataCompleteness, type Resale, repairRoi } from './derive.ts'
import { type CostRange, isOnBoard } from './fact.ts'
import type { RepairPicture } from './fact-index.ts'
import { byFrequency, weightOf } from './failure.ts'
import { applies, type MergedFacts } from './merged-facts.ts'
import { REFERENCE_SOURCE } from './part-cost.ts'

const CURRENCY = 'USD' as const

/** The repair picture as the API document words it; every field is there, known or not. */
export function presentRepairs(
  device: Device,
  variant: Variant | null,
  picture: RepairPicture,
  resale: Resale | null,
): RepairWire {
  const { facts, shares } = picture
  const repairs = facts.repairs.filter((repair) => applies(facts, repair.kind, repair.level))
  const failures = facts.failurePoints.filter((point) => applies(facts, point.value.fault, point.level))
  const cost = averageRepairCost(repairs, shares)
  const score = facts.score?.value.value ?? null
  return {
    device_id: device.id,
    device_name: device.name,
    variant_id: variant?.id ?? null,
    repairsite_score: score,
    repairability_rating: ratingOf(score),
    common_repairs: repairs
      .toSorted((a, b) => weightOf(shares, b.kind) - weightOf(shares, a.kind))
      .map((repair) => ({
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
        repairsite_guide_url: repair.guideUrl?.value ?? null,
      })),
    common_failure_points: byFrequency(failures, shares).map((point) => point.value.text),
    average_repair_cost: presentCost(cost),
    repair_roi_indicator: repairRoi(resale, cost),
    technical_notes: [...facts.notes.map((note) => note.value), ...remarks({ score: facts.score, repairs })],
    proprietary_parts: [...(facts.proprietaryParts?.value ?? [])],
    special_tools_required: [...(facts.specialTools?.value ?? [])],
    last_updated: facts.updatedAt === null ? null : isoInstant(facts.updatedAt),
    source: 'repairsite',
    data_completeness: dataCompleteness(facts),
  }
}

function presentCost(cost: CostRange | null): RepairWire['average_repair_cost'] {
  return cost && { min: cost.minCents, max: cost.maxCents, currency: CURRENCY }
}

/** What a reader must know about our own figures, so that an estimate is never taken for an observation. */
function remarks({ score, repairs }: Pick<MergedFacts, 'score' | 'repairs'>): string[] {
  const said: string[] = []
  if (score?.value.rubricYear) {
    said.push(`The repairability score was given by the rubric of ${score.value.rubricYear}.`)
  }
  if (score && score.level !== 'device' && score.level !== 'variant') {
    said.push(`The repairability score is that of the ${score.level}, not of this model.`)
  }
  const parts = repairs.flatMap((repair) => repair.parts)
  if (parts.some((part) => part.availability && isOnBoard(part.availability))) {
    said.push("Availability tells that the maker's public parts programme lists the part, not the day's stock.")
  }
  const estimated = parts.some((part) => part.cost?.source === REFERENCE_SOURCE)
  if (estimated) said.push('Part costs are reference ranges by family and age, not quotations; labour is not included.')
  return said
}
