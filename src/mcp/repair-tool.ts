import { z } from 'zod'
import { getRepairs } from '../contract/endpoints.ts'
import { commonRepairSchema, type RepairWire, repairSchema } from '../contract/repair.ts'
import { defineTool, pickFields } from './tool-definition.ts'

const { device_id, variant_id, currency } = getRepairs.query.shape
const repairFields = repairSchema.shape
const repair = commonRepairSchema.shape

export const repairOptionsTool = defineTool({
  name: 'repair_options',
  title: 'Repair costs and return',
  description:
    'Common repairs of a device or variant: difficulty, time, cost of parts and labour, and whether a typical repair pays. Give device_id or variant_id. data_completeness is 0 if nothing is known; null means unknown.',
  tier: getRepairs.tier,
  input: z.object({ device_id, variant_id, currency }),
  output: z.object({
    ...pickFields(repairFields, 'device_id', 'device_name', 'variant_id', 'repairsite_score', 'repairability_rating'),
    repairs: z.array(
      z.object({
        ...pickFields(repair, 'name', 'difficulty', 'estimated_time_minutes'),
        parts_min: repair.labour_min.describe('Lowest cost of all parts; null when a cost is unknown.'),
        parts_max: repair.labour_max.describe('Highest cost of all parts; null when a cost is unknown.'),
        ...pickFields(repair, 'labour_min', 'labour_max'),
        guide: repair.repairsite_guide_url,
      }),
    ),
    ...pickFields(repairFields, 'average_repair_cost', 'repair_roi_indicator', 'common_failure_points'),
    ...pickFields(repairFields, 'source', 'data_completeness', 'last_updated'),
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
