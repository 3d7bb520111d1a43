import { z } from 'zod'
import { RATE_SOURCES } from './currency.ts'
import { component, instant } from './values.ts'

/** What the dashboard shows under /account, in the same envelope as /api. */

export const DEVICE_SORTS = ['name', 'price_low', 'price_high', 'frequent'] as const
export type DeviceSort = (typeof DEVICE_SORTS)[number]

/** Beside the parameters of `GET /api/devices`. */
export const sortedDevicesQuery = z.object({
  sort: z
    .enum(DEVICE_SORTS)
    .describe(
      'Prices are the lowest list prices; `frequent`: devices that the organization appraised and checked most come first; of the checks, the newest 500 count.',
    ),
})

/** How a phone opens the dashboard. */
export const phoneAccessSchema = z.strictObject({
  /** Addresses that work outside this machine; empty if there is none. */
  urls: z.array(z.string()),
  is_loopback_only: z.boolean(),
  /** Whether browsers give the page the camera, passkeys and installation. */
  is_secure: z.boolean(),
  has_base_url: z.boolean(),
  port: z.number(),
})
export type PhoneAccessWire = z.infer<typeof phoneAccessSchema>

export const ratesPageSchema = z.strictObject({
  /** Whether the session's organization runs this service; rates are shared by all organizations. */
  may_update: z.boolean(),
  currencies: z.array(
    z.strictObject({
      currency: z.string(),
      /** Units for one US dollar. */
      rate: z.number(),
      date: z.string(),
      stale: z.boolean(),
      source: z.enum(RATE_SOURCES),
    }),
  ),
})
export type RatesPageWire = z.infer<typeof ratesPageSchema>

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

/** A model that the organization confirmed for a type allocation code. */
export const confirmedTacSchema = z.strictObject({
  tac: z.string(),
  device_id: z.string(),
  /** Null if the device is no longer in the registry. */
  device_name: z.string().nullable(),
  /** Number of devices for which it was confirmed. */
  units: z.int().min(1),
  confirmed_at: z.string(),
})
export type ConfirmedTacWire = z.infer<typeof confirmedTacSchema>

/** A confirmed model of a type allocation code over all organizations, for the operator. */
export const tacAgreementSchema = confirmedTacSchema.extend({
  /** Number of devices for which organizations confirmed it; 0 if only the operator did. */
  units: z.int().min(0),
  organizations: z.int().min(0),
  confirmed_for_all: z.boolean(),
})
export type TacAgreementWire = z.infer<typeof tacAgreementSchema>

/** A device that was appraised, and how often. */
export const appraisedDeviceSchema = z.strictObject({
  device_id: z.string(),
  device_name: z.string(),
  total: z.number(),
})
export type AppraisedDeviceWire = z.infer<typeof appraisedDeviceSchema>

/** What the cheapest configuration of each device sells for in grade Good, in US cents; null without a basis. */
export const lowestUsedPricesSchema = z.record(z.string(), z.number().nullable())
export type LowestUsedPricesWire = z.infer<typeof lowestUsedPricesSchema>

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

/** What the registry can be filtered by. */
export const catalogueFiltersSchema = z.strictObject({
  makes: z.array(z.string()),
  categories: z.array(z.string()),
})
export type CatalogueFiltersWire = z.infer<typeof catalogueFiltersSchema>

/** A test identifier with a fixed result. */
export const sandboxSchema = z.strictObject({
  identifier: z.string(),
  identifier_type: z.string(),
  outcome: z.string(),
  about: z.string(),
})
export type SandboxWire = z.infer<typeof sandboxSchema>
