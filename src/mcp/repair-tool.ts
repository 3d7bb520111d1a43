import { z } from 'zod'
import { getRepairs } from '../contract/endpoints.ts'
import { commonRepairSchema, type RepairWire, repairSchema } from '../contract/repair.ts'
import { defineTool } from './tool-definition.ts'

const { device_id, variant_id, currency } = getRepairs.query.shape
const repairFields = repairSchema.shape
const repair = commonRepairSchema.shape

export const repairOptionsTool = defineTool({
  name: 'repair_options',
  title: 'Common repairs, their cost, and whether they pay',
  description:
    'Common repairs of a device or variant with difficulty, time, parts and labour in minor units (US cents unless another currency is asked for), and whether a usual repair pays at current prices. Give device_id or variant_id. data_completeness says how much is known, 0 nothing; null means unknown.',
  tier: getRepairs.tier,
  input: z.object({ device_id, variant_id, currency }),
  output: z.object({
    device_id: repairFields.device_id,
    device_name: repairFields.device_name,
    variant_id: repairFields.variant_id,
    repairsite_score: repairFields.repairsite_score,
    repairability_rating: repairFields.repairability_rating,
    repairs: z.array(
      z.object({
        name: repair.name,
        difficulty: repair.difficulty,
        estimated_time_minutes: repair.estimated_time_minutes,
        parts_min: repair.labour_min.describe('Least cost of all parts; null when a cost is not known.'),
        parts_max: repair.labour_max.describe('Highest cost of all parts; null when a cost is not known.'),
        labour_min: repair.labour_min,
        labour_max: repair.labour_max,
        guide: repair.repairsite_guide_url,
      }),
    ),
    average_repair_cost: repairFields.average_repair_cost,
    repair_roi_indicator: repairFields.repair_roi_indicator,
    common_failure_points: repairFields.common_failure_points,
    source: repairFields.source,
    data_completeness: repairFields.data_completeness,
    last_updated: repairFields.last_updated,
  }),
  createsRecord: false,
  toApiCall: (query) => ({ endpoint: getRepairs, query }),
  summarize: (repairs: RepairWire) => ({
    ...repairs,
    repairs: repairs.common_repairs.map(({ parts, repairsite_guide_url: guide, ...repair }) => ({
      ...repair,
      parts_min: total(parts.map((part) => part.cost_min)),
      parts_max: total(parts.map((part) => part.cost_max)),
      guide,
    })),
  }),
})

/** Null if any cost is unknown. */
function total(costs: readonly (number | null)[]): number | null {
  return costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0 as number | null)
}
