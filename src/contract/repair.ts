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

const repairPartSchema = z
  .strictObject({
    name: z.string().min(1).describe('Name of the part.'),
    cost_min: cents.nullable().describe('Least cost of the part, US cents.'),
    cost_max: cents.nullable().describe('Highest cost of the part, US cents.'),
    currency,
    availability: z.enum(PART_AVAILABILITIES).describe('Whether the part can be had.'),
  })
  .describe('A part that a repair needs.')
  .refine((part) => (part.cost_min === null) === (part.cost_max === null), 'only one end of the cost is known')
  .refine((part) => (part.cost_min ?? 0) <= (part.cost_max ?? 0), 'cost_min is above cost_max')
  .meta({ id: 'RepairPart' })

export const commonRepairSchema = z
  .strictObject({
    name: z.string().min(1).describe('Name of the repair.'),
    difficulty: z.enum(REPAIR_DIFFICULTIES).nullable().describe('How hard the repair is; null if unknown.'),
    estimated_time_minutes: z.int().min(1).nullable().describe('Usual working time in minutes; null if unknown.'),
    parts: z.array(repairPartSchema).describe('Parts that the repair needs.'),
    labour_min: cents
      .nullable()
      .describe('Least cost of the work beside the parts, US cents; null when no time is known.'),
    labour_max: cents
      .nullable()
      .describe('Highest cost of the work beside the parts, US cents; null when no time is known.'),
    repairsite_guide_url: z.url().nullable().describe('Address of a guide, or null.'),
  })
  .describe('A repair that is often done on this device.')
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

export const repairSchema = z
  .strictObject({
    device_id: slugValue.describe('The device.'),
    device_name: z.string().min(1).describe('Name of the device.'),
    variant_id: slugValue.nullable().describe('The variant asked for; null when the device was.'),
    repairsite_score: z.int().min(0).max(10).nullable().describe('Repairability, 10 is easiest; null if not rated.'),
    repairability_rating: z
      .enum(REPAIRABILITY_RATINGS)
      .describe('The score in words: excellent 8–10, good 6–7, fair 4–5, poor 2–3, very_poor 0–1, unknown if null.'),
    common_repairs: z.array(commonRepairSchema).describe('Repairs done most often.'),
    common_failure_points: z.array(z.string()).describe('What fails, most frequent first.'),
    average_repair_cost: repairCostSchema.nullable().describe('Null when no cost is known.'),
    repair_roi_indicator: z
      .enum(REPAIR_ROI_INDICATORS)
      .describe(
        'Whether a repair pays: with the lower end of the average repair cost, (resale Good − resale Poor − cost) / cost is at least 1 `high`, at least 0.25 `medium`, at least 0 `low`, below 0 `negative`; `unknown` when a side is missing.',
      ),
    technical_notes: z
      .array(z.string())
      .describe('What to know before opening it, and which figures are reference ranges.'),
    proprietary_parts: z.array(z.string()).describe('Parts that are paired or only sold by the maker.'),
    special_tools_required: z.array(z.string()).describe('Tools beyond an ordinary set.'),
    last_updated: instant.nullable().describe('Time of the newest fact used; null when there is none.'),
    source: z.literal('repairsite').describe('The repair dataset.'),
    data_completeness: percent.describe('Share of the facts that are known, in percent.'),
    exchange_rate: exchangeRateSchema.optional().describe('Only with `currency`, and not for US dollars.'),
  })
  .describe('Common repairs, their cost, and whether they pay.')
  .refine(
    (repair) => repair.repairability_rating === repairabilityRating(repair.repairsite_score),
    'rating contradicts score',
  )
  .meta({ id: 'DeviceRepairIntelligence' })

export type CommonRepairWire = z.infer<typeof commonRepairSchema>
export type RepairWire = z.infer<typeof repairSchema>
