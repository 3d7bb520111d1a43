import { z } from 'zod'
import { exchangeRateSchema } from './currency.ts'
import { cents, currency, instant, percent, slugValue } from './values.ts'

export const REPAIRABILITY_RATINGS = ['excellent', 'good', 'fair', 'poor', 'very_poor', 'unknown'] as const
export const REPAIR_DIFFICULTIES = ['very_easy', 'easy', 'moderate', 'difficult', 'very_difficult'] as const
export const PART_AVAILABILITIES = [
  'in_stock',
  'limited',
  'backorder',
  'out_of_stock',
  'discontinued',
  'unknown',
] as const
export const COST_BASES = ['listed', 'estimated'] as const
export const REPAIR_ROI_INDICATORS = ['high', 'medium', 'low', 'negative', 'unknown'] as const

export type RepairabilityRating = (typeof REPAIRABILITY_RATINGS)[number]

/** 8–10 excellent, 6–7 good, 4–5 fair, 2–3 poor, 0–1 very_poor. */
export function repairabilityRating(score: number | null): RepairabilityRating {
  if (score === null) return 'unknown'
  if (score >= 8) return 'excellent'
  if (score >= 6) return 'good'
  if (score >= 4) return 'fair'
  return score >= 2 ? 'poor' : 'very_poor'
}

const costOrigin = {
  source: z.string().min(1).nullable().describe('Where the cost comes from; null without a cost.'),
  basis: z
    .enum(COST_BASES)
    .nullable()
    .describe(
      '`listed`: the source states it for this device, or the upper end, if it is a price of the maker. `estimated`: by launch price, device class, display and age. Null without a cost.',
    ),
  confidence: percent.nullable().describe('Confidence in the cost in percent; null without a cost.'),
}

const repairPartSchema = z
  .strictObject({
    name: z.string().min(1).describe('Name of the part.'),
    cost_min: cents.nullable().describe('Minimum cost of the part, US cents.'),
    cost_max: cents.nullable().describe('Maximum cost of the part, US cents.'),
    currency,
    availability: z.enum(PART_AVAILABILITIES).describe('Availability as a parts shop reported it, else `unknown`.'),
    ...costOrigin,
    own_share: percent
      .optional()
      .describe(
        'Share of the costs that you booked on your stock, and of imported part lists, in the cost, in percent; absent without any.',
      ),
  })
  .describe('A part needed for a repair.')
  .refine((part) => (part.cost_min === null) === (part.cost_max === null), 'only one end of the cost is known')
  .refine((part) => (part.cost_min ?? 0) <= (part.cost_max ?? 0), 'cost_min is above cost_max')
  .meta({ id: 'RepairPart' })

export const commonRepairSchema = z
  .strictObject({
    name: z.string().min(1).describe('Name of the repair.'),
    difficulty: z.enum(REPAIR_DIFFICULTIES).nullable().describe('How hard the repair is; null if unknown.'),
    estimated_time_minutes: z.int().min(1).nullable().describe('Usual working time in minutes; null if unknown.'),
    parts: z.array(repairPartSchema).describe('Parts needed for the repair.'),
    labour_min: cents.nullable().describe('Minimum labour cost without parts, US cents; null if the time is unknown.'),
    labour_max: cents.nullable().describe('Maximum labour cost without parts, US cents; null if the time is unknown.'),
    labour_source: costOrigin.source.describe('Where the working time comes from; null without labour.'),
    labour_basis: costOrigin.basis.describe(
      '`listed`: the source states the time for this device. `estimated`: for its line or category. Null without labour.',
    ),
    labour_confidence: costOrigin.confidence.describe('Confidence in the labour in percent; null without labour.'),
    repairsite_guide_url: z.url().nullable().describe('URL of a repair guide, or null.'),
  })
  .describe('A common repair of this device.')
  .refine(
    (repair) => (repair.labour_min === null) === (repair.labour_max === null),
    'only one end of the labour is known',
  )
  .refine((repair) => (repair.labour_min ?? 0) <= (repair.labour_max ?? 0), 'labour_min is above labour_max')
  .meta({ id: 'CommonRepair' })

const repairCostSchema = z
  .strictObject({
    min: cents.describe('Lower end, US cents.'),
    max: cents.describe('Upper end, US cents.'),
    currency,
  })
  .describe('Cost of a usual repair, parts and labour, weighted by how often each repair occurs.')
  .refine((cost) => cost.min <= cost.max, 'min is above max')
  .meta({ id: 'RepairCost' })

const repairReturnSchema = z
  .strictObject({
    resale_gain: z.int().describe('Resale price in Good less that in Poor, US cents.'),
    repair_cost: cents.describe('Lower end of the average repair cost, US cents.'),
    currency,
  })
  .meta({ id: 'RepairReturn' })

const repairNoteSchema = z
  .strictObject({
    code: z.string().nullable().describe('Stable code of the note; null for the text of an import.'),
    params: z
      .record(z.string(), z.union([z.string(), z.number(), z.array(z.string()).readonly()]))
      .readonly()
      .describe('Values of the note: parts and repairs are lists of codes, a rate is in cents.'),
  })
  .meta({ id: 'RepairNote' })

export const repairSchema = z
  .strictObject({
    device_id: slugValue.describe('The device.'),
    device_name: z.string().min(1).describe('Name of the device.'),
    variant_id: slugValue.nullable().describe('The requested variant; null if the request named only the device.'),
    repairsite_score: z.int().min(0).max(10).nullable().describe('Repairability, 10 is easiest; null if not rated.'),
    repairability_rating: z
      .enum(REPAIRABILITY_RATINGS)
      .describe('The score in words: excellent 8–10, good 6–7, fair 4–5, poor 2–3, very_poor 0–1, unknown if null.'),
    common_repairs: z.array(commonRepairSchema).describe('Most common repairs.'),
    common_failure_points: z.array(z.string()).describe('Common failures, most frequent first.'),
    average_repair_cost: repairCostSchema.nullable().describe('Null if no cost is known.'),
    repair_roi_indicator: z
      .enum(REPAIR_ROI_INDICATORS)
      .describe(
        'Return on repair: (resale Good − resale Poor − cost) / cost, with the lower end of the average repair cost. `high` from 1, `medium` from 0.25, `low` from 0, `negative` below 0, `unknown` if a figure is missing.',
      ),
    repair_return: repairReturnSchema
      .nullable()
      .describe('The two amounts that `repair_roi_indicator` compares; null if one is missing.'),
    technical_notes: z.array(z.string()).describe('Notes for technicians, and which figures are reference ranges.'),
    technical_note_codes: z
      .array(repairNoteSchema)
      .describe('The codes of `technical_notes`, in the same order, for a text in another language.'),
    proprietary_parts: z.array(z.string()).describe('Parts that are paired or sold only by the manufacturer.'),
    special_tools_required: z.array(z.string()).describe('Special tools.'),
    last_updated: instant.describe('Time of the newest fact used; without any, of the bundled repair data.'),
    source: z.literal('repairsite').describe('The repair dataset.'),
    data_completeness: percent.describe('Share of the facts that are known, in percent.'),
    exchange_rate: exchangeRateSchema.optional().describe('Present if `currency` is given and is not USD.'),
  })
  .describe('Common repairs, their cost and return.')
  .refine(
    (repair) => repair.repairability_rating === repairabilityRating(repair.repairsite_score),
    'rating contradicts score',
  )
  .meta({ id: 'DeviceRepairIntelligence' })

export type CommonRepairWire = z.infer<typeof commonRepairSchema>
export type RepairWire = z.infer<typeof repairSchema>
