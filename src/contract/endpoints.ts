import { z } from 'zod'
import { APPRAISAL_DECISIONS, appraisalItemSchema, appraisalSchema } from './appraisal.ts'
import {
  APPRAISAL_MAX_BYTES,
  APPRAISALS_MAX_BYTES,
  APPRAISALS_MAX_ITEMS,
  appraisalRequestSchema,
  appraisalsRequestSchema,
  tierOfAppraisal,
  tierOfAppraisals,
} from './appraisal-request.ts'
import { batchCost, batchResponse } from './batch.ts'
import { CONDITION_GRADES, conditionGradeSchema } from './conditions.ts'
import { currencyParameter } from './currency.ts'
import { getDealReport } from './deal-report.ts'
import { DEFECTS, defectSchema } from './defects.ts'
import { DEVICE_STATUSES, deviceSchema } from './device.ts'
import { getDevice, getVariant, listCategories, listMakes } from './device-endpoints.ts'
import { DEVICE_KINDS, defectsOfKind, gradesOfKind } from './device-kinds.ts'
import { defineEndpoint, type Endpoint, type EndpointExample, optionalText, type RequestHeader } from './endpoint.ts'
import { envelopeSchema, historySchema, pageSchema } from './envelope.ts'
import { listEvents } from './events.ts'
import {
  exampleAccessoryMatch,
  exampleAppraisal,
  exampleAppraisalRequest,
  exampleBlacklistedLookup,
  exampleCleanLookup,
  exampleDevice,
  exampleLookup,
  exampleMatch,
  exampleMistypedLookup,
  examplePricing,
  exampleRejectedAppraisal,
  exampleRepair,
  exampleVariant,
} from './examples.ts'
import {
  LOOKUP_BATCH_MAX_BYTES,
  LOOKUP_BATCH_MAX_ITEMS,
  LOOKUP_MAX_BYTES,
  lookupBatchItemSchema,
  lookupBatchRequestSchema,
  lookupRecordSchema,
  lookupRequestSchema,
  lookupResultSchema,
} from './lookups.ts'
import { managementEndpoints } from './management.ts'
import { matchQuerySchema, matchSchema } from './match.ts'
import { contributeObservations } from './observations.ts'
import { OUTCOME_FILTERS } from './outcome.ts'
import { recordOutcome, recordOutcomes, removeOutcome } from './outcome-endpoints.ts'
import { historyMeta, historyParameters, PAGE_LIMIT, pageMeta, pageParameters } from './paging.ts'
import { fillPath, hasPathParameters, matchPath } from './path-template.ts'
import { historyDaysParameter, lockParameter, marketParameter, PRICING_TYPES, variantPricingSchema } from './pricing.ts'
import { priceVariants } from './pricing-batch.ts'
import { repairSchema } from './repair.ts'
import { type Tier, tierIncludes } from './tiers.ts'
import { getUsage } from './usage.ts'
import { variantInContextSchema } from './variant.ts'
import { createWatch, deleteWatch, listWatches } from './watches.ts'

export type { Endpoint, EndpointExample, RequestHeader }

/** Tier a request needs: that of its endpoint, or a higher one required by its body. */
export function requiredTier(endpoint: Endpoint, body: unknown): Tier {
  const tierOfBody = endpoint.body?.tierFor?.tier(body)
  return tierOfBody !== undefined && tierIncludes(tierOfBody, endpoint.tier) ? tierOfBody : endpoint.tier
}

const searchParameter = optionalText().describe(
  'Search words for name, make, category and slug: prefix match, case and accents ignored; every word must match. If nothing matches, one typo per word of five or more letters is tolerated. Also finds an exact model number, model identifier, part number or SKU. Best match first. Truncated to 100 characters.',
)
const categoryParameter = optionalText().describe('Exact category name, case-insensitive.')
const makeParameter = optionalText().describe('Exact manufacturer name, case-insensitive.')
/** Selects a kind of device; neither parameter: all kinds. */
const kindQuery = z.object({
  category: optionalText().describe(
    `Kind of device, one of ${DEVICE_KINDS.map((kind) => `\`${kind}\``).join(', ')}, or a category of the registry, in any letter case.`,
  ),
  device_id: optionalText().describe('Device whose kind is meant; takes precedence over `category`.'),
})
const attributeParameter = (example: string) =>
  optionalText().describe(`Attribute value, ignoring case and spaces, for example \`${example}\`.`)

export const listDevices = defineEndpoint('GET /api/devices', {
  id: 'listDevices',
  tier: 'public',
  tag: 'Registry',
  summary: 'List devices',
  description:
    'Devices with all their variants, newest release first (unknown dates last), then by slug. With `search`: best match first, then that order.',
  query: z.object({
    ...pageParameters(PAGE_LIMIT),
    search: searchParameter,
    category: categoryParameter,
    make: makeParameter,
    status: optionalText().meta({
      description: 'Only devices with this status. Other values match nothing.',
      override: { type: 'string', enum: [...DEVICE_STATUSES] },
    }),
  }),
  response: pageSchema(deviceSchema),
  paged: true,
  examples: [{ summary: 'Search for a phone', query: { search: 'iphone 13', limit: '1' }, data: [exampleDevice] }],
})

export const listVariants = defineEndpoint('GET /api/variants', {
  id: 'listVariants',
  tier: 'public',
  tag: 'Registry',
  summary: 'List variants with their device',
  description:
    'Variants sorted by device, then in catalogue order. Disabled variants are included and marked. Every attribute can be used as a filter by its name.',
  query: z
    .object({
      ...pageParameters(PAGE_LIMIT),
      device_id: optionalText().describe('Only variants of this device. An unknown id gives an empty list.'),
      search: searchParameter,
      make: makeParameter,
      category: categoryParameter,
      sku: optionalText().describe('Only the variant with this SKU.'),
      disabled: optionalText().meta({
        description: 'Only disabled (`true`) or only enabled (`false`) variants.',
        override: { type: 'string', enum: ['true', 'false'] },
      }),
      storage: attributeParameter('256GB'),
      color: attributeParameter('Midnight'),
      ram: attributeParameter('8GB'),
      carrier: attributeParameter('Unlocked'),
    })
    .catchall(z.string()),
  attributeQuery: {
    name: 'attributes',
    description:
      'Any other attribute by its name (for example `size=45mm` or `connectivity=wifi`), ignoring case and spaces. Parameters that are not attribute names are ignored.',
  },
  response: pageSchema(variantInContextSchema),
  paged: true,
  examples: [
    {
      summary: 'Variants of a device with 128 GB',
      query: { device_id: 'apple-iphone-13', storage: '128GB', limit: '1' },
      data: [exampleVariant],
    },
  ],
})

export const listConditions = defineEndpoint('GET /api/meta/conditions', {
  id: 'listConditions',
  tier: 'public',
  tag: 'Registry',
  summary: 'List the condition grades',
  description:
    'The four grades used for prices, best first, with their definitions. With `category` or `device_id` the definitions fit that kind of device.',
  query: kindQuery,
  response: envelopeSchema(z.array(conditionGradeSchema).length(4)),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  examples: [
    { summary: 'The grades in force', data: CONDITION_GRADES },
    { summary: 'The grades of game consoles', query: { category: 'console' }, data: gradesOfKind('console') },
  ],
})

export const matchText = defineEndpoint('GET /api/match', {
  id: 'matchText',
  tier: 'public',
  tag: 'Registry',
  summary: 'Find the device named by a text',
  description:
    'Matches a listing title, model name or model number to a device and, if possible, a variant. Doubtful matches are rejected with a reason: every model word must be matched, and the make must agree. Accessories, parts, boxes and lots are recognised.',
  query: matchQuerySchema,
  response: envelopeSchema(matchSchema),
  errors: ['VALIDATION_ERROR'],
  examples: [
    {
      summary: 'A title as sellers write it',
      query: { text: 'iphone 13 128gb midnight unlocked' },
      data: exampleMatch,
    },
    { summary: 'No device', query: { text: 'case for iphone 13' }, data: exampleAccessoryMatch },
  ],
})

export const getPricing = defineEndpoint('GET /api/pricing', {
  id: 'getPricing',
  tier: 'paid',
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
  tier: 'paid',
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

export const assessIdentifier = defineEndpoint('POST /api/imei', {
  id: 'assessIdentifier',
  tier: 'enterprise',
  tag: 'Identifier risk',
  summary: 'Assess the risk of one identifier',
  description:
    'Decodes the identifier, finds the device, queries all sources and scores their findings, with a reason for every point. The response is sent after its record is durable. A wrong check digit is a finding, not an error. Unknown is never clean: `clean` requires a response from a source that covers the list, named in `cleared_by`. A probable typing error gives `recheck_identifier` with `suggested_identifiers`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours.',
  takesIdempotencyKey: true,
  body: { schema: lookupRequestSchema, maxBytes: LOOKUP_MAX_BYTES },
  response: envelopeSchema(lookupResultSchema),
  examples: [
    {
      summary: 'An identifier that no source knows',
      body: { identifier: '01-355400-629701-5', identifier_type: 'imei' },
      data: exampleLookup,
    },
    {
      summary: 'A sandbox identifier that is reported stolen',
      body: { identifier: '100000010000023' },
      data: exampleBlacklistedLookup,
    },
    {
      summary: 'A clean sandbox identifier',
      body: { identifier: '100000010000015' },
      data: exampleCleanLookup,
    },
    {
      summary: 'A mistyped digit',
      body: { identifier: '01-355400-629701-6', identifier_type: 'imei' },
      data: exampleMistypedLookup,
    },
  ],
})

const invalidSerialError =
  'items[1].identifier was "12345"; expected a serial number of 7 to 20 letters A–Z and digits.'

export const assessIdentifiers = defineEndpoint('POST /api/imei/batch', {
  id: 'assessIdentifiers',
  tier: 'enterprise',
  tag: 'Identifier risk',
  summary: `Assess up to ${LOOKUP_BATCH_MAX_ITEMS.toLocaleString('en-US')} identifiers`,
  description:
    'One result or error per item, in the order of the request. All records of a batch become durable together, or none does. Repeated identifiers are assessed once. Each item counts as one request against the limit. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours.',
  takesIdempotencyKey: true,
  body: {
    schema: lookupBatchRequestSchema,
    maxBytes: LOOKUP_BATCH_MAX_BYTES,
    name: 'items',
    cost: batchCost('items', LOOKUP_BATCH_MAX_ITEMS),
  },
  response: batchResponse(lookupBatchItemSchema, LOOKUP_BATCH_MAX_ITEMS),
  examples: [
    {
      summary: 'Two identifiers, one of them impossible',
      body: { items: [{ identifier: '01-355400-629701-5', identifier_type: 'imei' }, { identifier: '12345' }] },
      data: [
        { index: 0, success: true, result: exampleLookup },
        { index: 1, success: false, error: { code: 'VALIDATION_ERROR', message: invalidSerialError } },
      ],
    },
  ],
})

export const listLookups = defineEndpoint('GET /api/imei', {
  id: 'listLookups',
  tier: 'enterprise',
  tag: 'Identifier risk',
  summary: "List your organization's lookups",
  description:
    "Complete lookup records of the caller's organization, newest first, as they were returned at the time. Continue with `after` = `meta.next_after`; numbered pages end at 10,000 records.",
  query: z.object({
    ...historyParameters('lkp'),
    identifier: optionalText().describe('Only lookups of this identifier, in any notation.'),
  }),
  response: historySchema(lookupRecordSchema),
  paged: true,
  errors: ['VALIDATION_ERROR'],
  examples: [
    {
      summary: 'The two newest lookups',
      query: { limit: '2' },
      data: [exampleBlacklistedLookup, exampleLookup],
      meta: historyMeta(pageMeta(1, 2, 3), exampleLookup.lookup_id),
    },
  ],
})

export const listDefects = defineEndpoint('GET /api/meta/defects', {
  id: 'listDefects',
  tier: 'public',
  tag: 'Registry',
  summary: 'List the defects',
  description:
    'Defects beside normal wear: the codes of `defects[]` in an appraisal, the repairs that fix them, and whether a device with the defect still has a grade. With `category` or `device_id` only those that such a device can have, in words that fit it; an appraisal rejects all others.',
  query: kindQuery,
  response: envelopeSchema(z.array(defectSchema).min(1)),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  examples: [
    { summary: 'The defects in force', data: DEFECTS },
    {
      summary: 'What graphics cards can have',
      query: { category: 'graphics_card' },
      data: defectsOfKind('graphics_card'),
    },
  ],
})

export const appraiseDevice = defineEndpoint('POST /api/appraisals', {
  id: 'appraiseDevice',
  tier: 'paid',
  tag: 'Appraisals',
  summary: 'Appraise one device',
  description:
    "Identifies the device, checks its risk, estimates prices and repair costs, and calculates the highest offer at which the best plan earns your policy's margin within the allowed probability of a loss. `offer.reasons[]` is the calculation line by line. Conflicting input is a finding, not an error; if the device cannot be identified, the decision is `identify` with candidates. Blacklisted devices never get an offer. The response is sent after its record and that of the lookup are durable. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours.",
  takesIdempotencyKey: true,
  body: {
    schema: appraisalRequestSchema,
    maxBytes: APPRAISAL_MAX_BYTES,
    tierFor: { tier: tierOfAppraisal, says: '**Enterprise** when an `identifier` is given' },
  },
  response: envelopeSchema(appraisalSchema),
  errors: ['NOT_FOUND'],
  examples: [
    {
      summary: 'A phone with a cracked back that is worth repairing',
      body: exampleAppraisalRequest,
      data: exampleAppraisal,
    },
    {
      summary: 'A blacklisted phone (sandbox identifier)',
      body: { identifier: '100000010000023', variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' },
      data: exampleRejectedAppraisal,
    },
  ],
})

export const appraiseDevices = defineEndpoint('POST /api/appraisals/batch', {
  id: 'appraiseDevices',
  tier: 'paid',
  tag: 'Appraisals',
  summary: `Appraise up to ${APPRAISALS_MAX_ITEMS} devices`,
  description:
    'One appraisal or error per item, in the order of the request. All records of a batch become durable together, or none does. Each item counts as one request against the limit. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours.',
  takesIdempotencyKey: true,
  body: {
    schema: appraisalsRequestSchema,
    maxBytes: APPRAISALS_MAX_BYTES,
    name: 'items',
    cost: batchCost('items', APPRAISALS_MAX_ITEMS),
    tierFor: { tier: tierOfAppraisals, says: '**Enterprise** when an item has an `identifier`' },
  },
  response: batchResponse(appraisalItemSchema, APPRAISALS_MAX_ITEMS),
  examples: [
    {
      summary: 'Two devices, one of them unknown',
      body: { items: [exampleAppraisalRequest, { variant_id: 'apple-iphone-13-64gb-midnight' }] },
      data: [
        { index: 0, success: true, result: exampleAppraisal },
        {
          index: 1,
          success: false,
          error: { code: 'NOT_FOUND', message: 'Variant apple-iphone-13-64gb-midnight was not found.' },
        },
      ],
    },
  ],
})

export const listAppraisals = defineEndpoint('GET /api/appraisals', {
  id: 'listAppraisals',
  tier: 'paid',
  tag: 'Appraisals',
  summary: "List your organization's appraisals",
  description:
    "Complete appraisal records of the caller's organization with their outcomes, newest first. Continue with `after` = `meta.next_after`; numbered pages end at 10,000 records.",
  query: z.object({
    ...historyParameters('apr'),
    reference: optionalText().describe('Only appraisals with this reference.'),
    decision: z
      .enum(APPRAISAL_DECISIONS, { error: `one of ${APPRAISAL_DECISIONS.join(', ')}` })
      .optional()
      .describe('Only appraisals with this decision.'),
    outcome: z
      .enum(OUTCOME_FILTERS, { error: `one of ${OUTCOME_FILTERS.join(', ')}` })
      .optional()
      .describe('Only appraisals with this outcome; `open`: without one.'),
  }),
  response: historySchema(appraisalSchema),
  paged: true,
  errors: ['VALIDATION_ERROR'],
  examples: [
    {
      summary: 'The newest appraisal',
      query: { limit: '1' },
      data: [exampleAppraisal],
      meta: historyMeta(pageMeta(1, 1, 2), exampleAppraisal.appraisal_id),
    },
  ],
})

export const getAppraisal = defineEndpoint('GET /api/appraisals/{id}', {
  id: 'getAppraisal',
  params: z.object({ id: z.string().describe('The `appraisal_id` of an appraisal of your organization.') }),
  tier: 'paid',
  tag: 'Appraisals',
  summary: 'Get one appraisal',
  description:
    "An appraisal of the caller's organization, as it was returned, with its current outcome. Another organization's appraisal is not found.",
  response: envelopeSchema(appraisalSchema),
  errors: ['NOT_FOUND'],
  examples: [
    {
      summary: 'An appraisal by its id',
      params: { id: exampleAppraisal.appraisal_id },
      data: exampleAppraisal,
    },
  ],
})

/** All public endpoints. Routes, the OpenAPI document, the reference page, the client and the conformance tests use this list. */
export const endpoints: readonly Endpoint[] = [
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
  contributeObservations,
  getRepairs,
  assessIdentifier,
  assessIdentifiers,
  listLookups,
  appraiseDevice,
  appraiseDevices,
  listAppraisals,
  getAppraisal,
  recordOutcome,
  removeOutcome,
  recordOutcomes,
  getDealReport,
  createWatch,
  listWatches,
  deleteWatch,
  listEvents,
  getUsage,
  ...managementEndpoints,
]

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
