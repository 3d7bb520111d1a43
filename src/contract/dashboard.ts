import { z } from 'zod'
import { component, instant } from './values.ts'

/** What the dashboard shows under /account, in the same envelope as /api. */

export const organizationSettingsSchema = z.strictObject({
  name: z.string(),
  /** Null: the market of the service. */
  market: z.string().nullable(),
  currency: z.string(),
  service_market: z.string(),
  markets: z.array(z.strictObject({ code: z.string(), name: z.string(), currency: z.string() })),
  currencies: z.array(z.string()),
  /** Amounts of the buying policy that this change converted; empty if the currency stayed. */
  converted: z.array(
    z.strictObject({
      field: z.string(),
      before: z.strictObject({ amount: z.number(), currency: z.string() }),
      after: z.strictObject({ amount: z.number(), currency: z.string() }),
    }),
  ),
})
export type OrganizationSettingsWire = z.infer<typeof organizationSettingsSchema>

export const attentionSchema = component('AttentionItem', 'Something that an owner should look at.', {
  kind: z
    .enum(['clock_jumped', 'source_down', 'list_stale', 'feed_failing', 'import_failed', 'key_expiring'])
    .describe('What is wrong.'),
  subject: z.string().describe('Name of the source, key, feed or list, or the format of the import.'),
  at: instant
    .nullable()
    .describe('When it expires, failed or was last renewed, or since when it does not respond; null if unknown.'),
})
export type AttentionWire = z.infer<typeof attentionSchema>
