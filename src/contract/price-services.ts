import { z } from 'zod'
import { component, instant } from './values.ts'

/** Name of the template of eBay. */
export const EBAY = 'ebay' as const
/** Marketplaces of eBay by the country that their template is entered with. */
export const EBAY_MARKETS = ['US', 'GB', 'DE', 'FR', 'IT', 'ES', 'AU', 'CA'] as const

/** A price service whose requests are known: only the market and the account are entered. */
export const priceTemplateSchema = component('PriceTemplate', 'A price service whose requests are known.', {
  name: z.literal(EBAY).describe('`ebay`: search of the Browse API.'),
  market: z.enum(EBAY_MARKETS).describe('Country of the marketplace.'),
  client_id: z.string().trim().min(1).max(200).describe('Client id of the account.'),
  base_url: z
    .string()
    .max(300)
    .regex(/^https?:\/\/[^\s/?#]+$/, 'an http or https address without a path')
    .optional()
    .describe('Address of the API, such as that of its test environment; default: the public one.'),
  requests_per_day: z.int().min(1).max(5_000_000).optional().describe('Budget of requests; default 4500.'),
})
export type PriceTemplate = z.infer<typeof priceTemplateSchema>

export const priceSourceUseSchema = component('PriceSourceUse', 'What a price service was asked.', {
  requests_today: z.int().min(0).describe('Requests sent today.'),
  requests_per_day: z.int().min(1).describe('Budget of requests.'),
  devices: z.int().min(0).describe('Devices it was asked about.'),
  fresh_devices: z.int().min(0).describe('Devices it was asked about in the last seven days.'),
  listings: z.int().min(0).describe('Listings found by the last request for each device.'),
  waits_until: instant.nullable().describe('The service asked to send nothing before; null if it did not.'),
})

export const testedListingSchema = component('TestedListing', 'A listing that a test of a price service found.', {
  listing_id: z.string().describe('Id of the listing.'),
  title: z.string().describe('Title.'),
  price: z.string().describe('Price as the service states it.'),
  currency: z.string().describe('Currency; empty if it states none.'),
  condition: z.string().describe('Condition.'),
  device: z.string().nullable().describe('Device with its configuration; null if the listing is left out.'),
  grade: z.string().nullable().describe('Grade of the price; null if the listing is left out.'),
  reason: z.string().nullable().describe('Why it is left out.'),
})
export type TestedListingWire = z.infer<typeof testedListingSchema>
