import { z } from 'zod'
import {
  appraiseDevice,
  appraiseDevices,
  getAppraisal,
  listAppraisals,
  listAppraisedDevices,
  previewAppraisal,
} from './appraisal-endpoints.ts'
import { currencyParameter } from './currency.ts'
import { getDealReport } from './deal-report.ts'
import {
  getDevice,
  getVariant,
  listCategories,
  listConditions,
  listDefects,
  listDevices,
  listMakes,
  listVariants,
  matchText,
} from './device-endpoints.ts'
import { addDeviceList, changeDeviceList, getDeviceList, listDeviceLists, removeDeviceList } from './device-lists.ts'
import { defineEndpoint, type Endpoint, type EndpointExample, optionalText } from './endpoint.ts'
import { envelopeSchema } from './envelope.ts'
import { listEvents } from './events.ts'
import { examplePricing, exampleRepair } from './examples.ts'
import { assessIdentifier, assessIdentifiers, getLookup, listLookups, listSandbox } from './lookup-endpoints.ts'
import { listLowestPrices } from './lowest-prices.ts'
import { managementEndpoints } from './management.ts'
import { keyEndpoints } from './management-keys.ts'
import { organizationEndpoints } from './management-organization.ts'
import { webhookEndpoints } from './management-webhooks.ts'
import { contributeObservations, removeObservations } from './observations.ts'
import { recordOutcome, recordOutcomes, removeOutcome } from './outcome-endpoints.ts'
import { fillPath, hasPathParameters, matchPath } from './path-template.ts'
import { getPriceRules, replacePriceRules } from './price-rules.ts'
import { historyDaysParameter, lockParameter, marketParameter, PRICING_TYPES, variantPricingSchema } from './pricing.ts'
import { priceVariants } from './pricing-batch.ts'
import { createPurchase, getPurchase, listPurchases } from './purchases.ts'
import { getQuoteReport } from './quote-report.ts'
import { changeQuote, createQuote, getQuote, listQuotes } from './quotes.ts'
import { repairSchema } from './repair.ts'
import { eraseSeller, getSeller, getSellerImage, getSellerOnReceipt, listSellers } from './sellers.ts'
import { createShare, listShares, revokeShare } from './share-endpoints.ts'
import { changeStock, changeStockItem, getStockItem, listStock } from './stock.ts'
import { type Tier, tierIncludes } from './tiers.ts'
import { getUsage, listRequests } from './usage.ts'
import { createWatch, deleteWatch, getWatch, listWatches } from './watches.ts'

export type { Endpoint, EndpointExample }

/** Tier a request needs: that of its endpoint, or a higher one required by its body. */
export function requiredTier(endpoint: Endpoint, body: unknown): Tier {
  const tierOfBody = endpoint.body?.tierFor?.tier(body)
  return tierOfBody !== undefined && tierIncludes(tierOfBody, endpoint.tier) ? tierOfBody : endpoint.tier
}

export const getPricing = defineEndpoint('GET /api/pricing', {
  id: 'getPricing',
  permission: 'prices:read',
  tag: 'Pricing',
  summary: 'Price one variant',
  description:
    'Buyback and resale prices per condition grade with an 80 % range, history and confidence. `source` says whether the numbers come from observed prices (`market`), are derived (`estimate`) or simulated (`sample`).',
  query: z.object({
    variant_id: z
      .string({ error: 'the id of a variant, as /api/variants lists them' })
      .describe('The variant to price.'),
    pricing_type: z
      .enum(PRICING_TYPES, { error: PRICING_TYPES.join(', ') })
      .default('both')
      .describe('Price blocks to return.'),
    condition: optionalText().describe('Accepted without effect: the response has all four grades.'),
    days: optionalText().meta({ description: 'Accepted without effect.', override: { type: 'integer' } }),
    history_days: historyDaysParameter,
    market: marketParameter,
    lock: lockParameter,
    currency: currencyParameter,
  }),
  response: envelopeSchema(variantPricingSchema),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  examples: [
    {
      summary: 'Both prices of a variant',
      query: { variant_id: 'apple-iphone-13-128gb-midnight' },
      data: examplePricing,
    },
  ],
})

export const getRepairs = defineEndpoint('GET /api/repairs', {
  id: 'getRepairs',
  permission: 'repairs:read',
  tag: 'Repairs',
  summary: 'Repair intelligence for a device or variant',
  description:
    'Common repairs with difficulty, time and parts, common failures, repair costs, and whether a repair pays at current prices. Give `device_id`, `variant_id` or both; the variant must belong to the device. A device without repair data returns nulls, empty lists and `data_completeness` 0.',
  query: z
    .object({
      device_id: optionalText().describe('The device. Required unless `variant_id` is given.'),
      variant_id: optionalText().describe('The variant. Required unless `device_id` is given.'),
      currency: currencyParameter,
    })
    .refine(({ device_id, variant_id }) => device_id !== undefined || variant_id !== undefined, {
      path: ['device_id'],
      error: 'device_id or variant_id',
    }),
  response: envelopeSchema(repairSchema),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  examples: [{ summary: 'Repairs of a device', query: { device_id: 'apple-iphone-13' }, data: exampleRepair }],
})

/** All public endpoints. Routes, the OpenAPI document, the reference page, the client and the conformance tests use this list. */
const apiEndpoints = [
  listDevices,
  getDevice,
  listVariants,
  getVariant,
  matchText,
  listCategories,
  listMakes,
  listConditions,
  listDefects,
  getPricing,
  priceVariants,
  listLowestPrices,
  contributeObservations,
  removeObservations,
  getRepairs,
  assessIdentifier,
  assessIdentifiers,
  listLookups,
  getLookup,
  listSandbox,
  appraiseDevice,
  appraiseDevices,
  previewAppraisal,
  listAppraisals,
  listAppraisedDevices,
  getAppraisal,
  recordOutcome,
  removeOutcome,
  recordOutcomes,
  createPurchase,
  listPurchases,
  getPurchase,
  listDeviceLists,
  addDeviceList,
  getDeviceList,
  changeDeviceList,
  removeDeviceList,
  listStock,
  changeStock,
  getStockItem,
  changeStockItem,
  listQuotes,
  createQuote,
  getQuote,
  changeQuote,
  listSellers,
  getSeller,
  getSellerImage,
  getSellerOnReceipt,
  eraseSeller,
  listShares,
  createShare,
  revokeShare,
  getDealReport,
  getQuoteReport,
  createWatch,
  listWatches,
  getWatch,
  deleteWatch,
  listEvents,
  getUsage,
  listRequests,
  ...keyEndpoints,
  getPriceRules,
  replacePriceRules,
  ...webhookEndpoints,
  ...organizationEndpoints,
  ...managementEndpoints,
] as const

export const endpoints: readonly Endpoint[] = apiEndpoints

/** The endpoints with the types of their schemas, for pages. */
export type ApiEndpoint = (typeof apiEndpoints)[number]

/** Finds the endpoint of a request; a literal path takes precedence over one with parameters. */
export function findEndpoint(method: string, path: string): Endpoint | undefined {
  const servedMethod = method === 'HEAD' ? 'GET' : method
  const matches = endpoints.filter((endpoint) => matchPath(endpoint.path, path) !== undefined)
  const literal = matches.filter((endpoint) => !hasPathParameters(endpoint.path))
  return (literal.length > 0 ? literal : matches).find((endpoint) => endpoint.method === servedMethod)
}

/** Path of the first example of an endpoint. */
export function examplePath({ path, examples }: Endpoint): string {
  return fillPath(path, examples[0].params ?? {})
}
