import { z } from 'zod'
import { RISK_LEVELS } from './lookups.ts'
import { TIERS } from './tiers.ts'
import { quotaSchema } from './usage.ts'

export const usagePageSchema = z.strictObject({
  from: z.string().describe('First day in the rows.'),
  to: z.string(),
  is_cut: z.boolean().describe('Whether older days are left out, because there are too many rows. The CSV has all.'),
  quota: quotaSchema.nullable(),
  /** One entry per day, endpoint, key and status that had requests. */
  rows: z.array(
    z.strictObject({
      day: z.string(),
      key_id: z.string(),
      route: z.string(),
      status: z.number(),
      count: z.number(),
    }),
  ),
  /** Most requests that a key made in one minute of the day, and what it was allowed. */
  peaks: z.array(
    z.strictObject({
      day: z.string(),
      key_id: z.string(),
      peak_per_minute: z.number(),
    }),
  ),
  keys: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      tier: z.enum(TIERS),
      limit_per_minute: z.number(),
    }),
  ),
  lookups: z.array(
    z.strictObject({
      day: z.string(),
      risk_level: z.enum(RISK_LEVELS),
      count: z.number(),
    }),
  ),
})
export type UsagePageWire = z.infer<typeof usagePageSchema>

/** The last two weeks by the hour. */
export const usageHoursSchema = z.strictObject({
  /** Hours since 1970, UTC: the first and the last that are shown. */
  from: z.number(),
  to: z.number(),
  /** Upper ends of the classes of time in milliseconds; the last class has none. */
  latency_classes: z.array(z.number()),
  rows: z.array(
    z.strictObject({
      hour: z.number(),
      key_id: z.string(),
      route: z.string(),
      status: z.number(),
      latency: z.number(),
      count: z.number(),
    }),
  ),
})
export type UsageHoursWire = z.infer<typeof usageHoursSchema>

export const requestLogEntrySchema = z.strictObject({
  id: z.string(),
  at: z.string(),
  key_id: z.string(),
  method: z.string(),
  route: z.string(),
  status: z.number(),
  ms: z.number(),
  request_id: z.string(),
})
export type RequestLogEntryWire = z.infer<typeof requestLogEntrySchema>
