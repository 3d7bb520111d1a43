import { z } from 'zod'
import { APPRAISAL_DECISIONS, appraisalItemSchema, appraisalSchema } from './appraisal.ts'
import {
  APPRAISAL_MAX_BYTES,
  APPRAISALS_MAX_BYTES,
  APPRAISALS_MAX_ITEMS,
  appraisalRequestSchema,
  appraisalsCost,
  appraisalsRequestSchema,
  tierOfAppraisal,
  tierOfAppraisals,
} from './appraisal-request.ts'
import { CONDITION_GRADES, conditionGradeSchema } from './conditions.ts'
import { currencyParameter } from './currency.ts'
import { DEFECTS, defectSchema } from './defects.ts'
import { DEVICE_STATUSES, deviceSchema } from './device.ts'
import { getDevice, getVariant, listCategories, listMakes } from './device-endpoints.ts'
import {
  BODY_ERRORS,
  COMMON_ERRORS,
  defineEndpoint,
  type Endpoint,
  type EndpointExample,
  NO_PARAMETERS,
  optionalText,
  type RequestHeader,
} from './endpoint.ts'
import { envelopeSchema, pageSchema } from './envelope.ts'
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
  lookupBatchCost,
  lookupBatchItemSchema,
  lookupBatchRequestSchema,
  lookupRecordSchema,
  lookupRequestSchema,
  lookupResultSchema,
} from './lookups.ts'
import { matchQuerySchema, matchSchema } from './match.ts'
import { contributeObservations } from './observations.ts'
import { HISTORY_LIMIT, PAGE_LIMIT, pageParameters } from './paging.ts'
import { fillPath, hasPathParameters, matchPath } from './path-template.ts'
import { historyDaysParameter, PRICING_TYPES, variantPricingSchema } from './pricing.ts'
import { priceVariants } from './pricing-batch.ts'
import { repairSchema } from './repair.ts'
import { type Tier, tierIncludes } from './tiers.ts'
import { variantInContextSchema } from './variant.ts'
import { createWatch, deleteWatch, listWatches } from './watches.ts'

export type { Endpoint, EndpointExample, RequestHeader }

/** The tier that a request needs: its endpoint's, or a higher one that its body asks for. */
export function requiredTier(endpoint: Endpoint, body: unknown): Tier {
  const asked = endpoint.body?.tierFor?.tier(body)
  return asked !== undefined && tierIncludes(asked, endpoint.tier) ? asked : endpoint.tier
}

const searchParameter = optionalText().describe(
  'Words to find in name, make, category and slug, without regard to case and accents, by their beginnings; every word must match. When nothing does, one typing error per word of five or more letters is forgiven. A model number, model identifier, part number or SKU given exactly also finds its device. Best match first. Cut after 100 characters.',
)
const categoryParameter = optionalText().describe('Whole name of a category, without regard to case.')
const makeParameter = optionalText().describe('Whole name of a manufacturer, without regard to case.')
const attributeParameter = (example: string) =>
  optionalText().describe(`Attribute value, without regard to case and blanks, for example \`${example}\`.`)

export const listDevices = defineEndpoint({
  id: 'listDevices',
  method: 'GET',
  path: '/api/devices',
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
      description: 'Only devices of this status. Another value matches nothing.',
      override: { type: 'string', enum: [...DEVICE_STATUSES] },
    }),
  }),
  requestHeaders: ['If-None-Match', 'X-Request-Id'],
  response: pageSchema(deviceSchema),
  paged: true,
  cacheable: true,
  errors: COMMON_ERRORS,
  examples: [{ summary: 'Search for a phone', query: { search: 'iphone 13', limit: '1' }, data: [exampleDevice] }],
})

export const listVariants = defineEndpoint({
  id: 'listVariants',
  method: 'GET',
  path: '/api/variants',
  tier: 'public',
  tag: 'Registry',
  summary: 'List variants with their device',
  description:
    "Variants in the order of their devices, then in the catalogue's own order. Disabled variants are listed and marked. Beside the parameters below every attribute can be filtered by its name.",
  query: z
    .object({
      ...pageParameters(PAGE_LIMIT),
      device_id: optionalText().describe('Only variants of this device. An unknown id gives an empty list.'),
      search: searchParameter,
      make: makeParameter,
      category: categoryParameter,
      sku: optionalText().describe('Only the variant with this SKU.'),
      disabled: optionalText().meta({
        description: 'Only disabled variants, or only those that are not.',
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
      'Any further attribute by its own name (for example `size=45mm` or `connectivity=wifi`), without regard to case and blanks. Parameters that name no attribute are ignored.',
  },
  requestHeaders: ['If-None-Match', 'X-Request-Id'],
  response: pageSchema(variantInContextSchema),
  paged: true,
  cacheable: true,
  errors: COMMON_ERRORS,
  examples: [
    {
      summary: 'Variants of a device with 128 GB',
      query: { device_id: 'apple-iphone-13', storage: '128GB', limit: '1' },
      data: [exampleVariant],
    },
  ],
})

export const listConditions = defineEndpoint({
  id: 'listConditions',
  method: 'GET',
  path: '/api/meta/conditions',
  tier: 'public',
  tag: 'Registry',
  summary: 'List the condition grades',
  description: 'The four grades that prices are given for, best first, and what each of them means.',
  query: NO_PARAMETERS,
  requestHeaders: ['If-None-Match', 'X-Request-Id'],
  response: envelopeSchema(z.array(conditionGradeSchema).length(4)),
  paged: false,
  cacheable: true,
  errors: COMMON_ERRORS,
  examples: [{ summary: 'The grades in force', data: CONDITION_GRADES }],
})

export const matchText = defineEndpoint({
  id: 'matchText',
  method: 'GET',
  path: '/api/match',
  tier: 'public',
  tag: 'Registry',
  summary: 'Find the device that a text names',
  description:
    'From a listing title, a model name or number to a device and, where it says enough, a variant: or a refusal with its reason. A doubtful match is refused: every word that names a model must be answered for, and a make that is given or named is never crossed. Accessories, parts, boxes and lots are told by name.',
  query: matchQuerySchema,
  requestHeaders: ['If-None-Match', 'X-Request-Id'],
  response: envelopeSchema(matchSchema),
  paged: false,
  cacheable: true,
  errors: [...COMMON_ERRORS, 'VALIDATION_ERROR'],
  examples: [
    {
      summary: 'A title as sellers write it',
      query: { text: 'iphone 13 128gb midnight unlocked' },
      data: exampleMatch,
    },
    { summary: 'No device', query: { text: 'case for iphone 13' }, data: exampleAccessoryMatch },
  ],
})

export const getPricing = defineEndpoint({
  id: 'getPricing',
  method: 'GET',
  path: '/api/pricing',
  tier: 'paid',
  tag: 'Pricing',
  summary: 'Price one variant',
  description:
    'Buyback and resale prices per grade of condition with an 80 % range, the history behind them, and how sure they are. `source` says whether the numbers come from observed deals (`market`), are derived (`estimate`) or simulated (`sample`).',
  query: z.object({
    variant_id: z
      .string({ error: 'the id of a variant, as /api/variants lists them' })
      .describe('The variant to price.'),
    pricing_type: z
      .enum(PRICING_TYPES, { error: PRICING_TYPES.join(', ') })
      .default('both')
      .describe('Which blocks to give.'),
    condition: optionalText().describe('Accepted without effect: every answer has all four grades.'),
    days: optionalText().meta({ description: 'Accepted without effect.', override: { type: 'integer' } }),
    history_days: historyDaysParameter,
    currency: currencyParameter,
  }),
  requestHeaders: ['If-None-Match', 'X-Request-Id'],
  response: envelopeSchema(variantPricingSchema),
  paged: false,
  cacheable: true,
  errors: [...COMMON_ERRORS, 'VALIDATION_ERROR', 'NOT_FOUND'],
  examples: [
    {
      summary: 'Both prices of a variant',
      query: { variant_id: 'apple-iphone-13-128gb-midnight' },
      data: examplePricing,
    },
  ],
})

export const getRepairs = defineEndpoint({
  id: 'getRepairs',
  method: 'GET',
  path: '/api/repairs',
  tier: 'paid',
  tag: 'Repairs',
  summary: 'Repair intelligence for a device or variant',
  description:
    'Common repairs with difficulty, time and parts, what fails, what a repair costs, and whether it pays at current prices. Give `device_id`, `variant_id` or both; a variant must belong to the device. A known device without repair data answers with nulls, empty lists and `data_completeness` 0.',
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
  requestHeaders: ['If-None-Match', 'X-Request-Id'],
  response: envelopeSchema(repairSchema),
  paged: false,
  cacheable: true,
  errors: [...COMMON_ERRORS, 'VALIDATION_ERROR', 'NOT_FOUND'],
  examples: [{ summary: 'Repairs of a device', query: { device_id: 'apple-iphone-13' }, data: exampleRepair }],
})

export const assessIdentifier = defineEndpoint({
  id: 'assessIdentifier',
  method: 'POST',
  path: '/api/imei',
  tier: 'enterprise',
  tag: 'Identifier risk',
  summary: 'Assess the risk of one identifier',
  description:
    'Decodes the identifier, finds the device, asks every source and scores what they say, with a named reason for every point. The answer is given only after its record is durable. A wrong check digit is a finding, not a refusal. Unknown is never clean: `clean` is said only when a source that covers the list answered, and `cleared_by` names it. A probable typing error is `recheck_identifier`, with `suggested_identifiers`. With `Idempotency-Key` the same key and body give the first answer again for 24 hours.',
  query: NO_PARAMETERS,
  requestHeaders: ['Idempotency-Key', 'X-Request-Id'],
  body: { schema: lookupRequestSchema, maxBytes: LOOKUP_MAX_BYTES },
  response: envelopeSchema(lookupResultSchema),
  paged: false,
  cacheable: false,
  errors: [...COMMON_ERRORS, ...BODY_ERRORS],
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
      summary: 'A sandbox identifier that every list clears',
      body: { identifier: '100000010000015' },
      data: exampleCleanLookup,
    },
    {
      summary: 'A digit mistyped: look at it again',
      body: { identifier: '01-355400-629701-6', identifier_type: 'imei' },
      data: exampleMistypedLookup,
    },
  ],
})

const invalidSerialError =
  'items[1].identifier was "12345"; expected a serial number of 8 to 20 letters A–Z and digits.'

export const assessIdentifiers = defineEndpoint({
  id: 'assessIdentifiers',
  method: 'POST',
  path: '/api/imei/batch',
  tier: 'enterprise',
  tag: 'Identifier risk',
  summary: `Assess up to ${LOOKUP_BATCH_MAX_ITEMS.toLocaleString('en-US')} identifiers`,
  description:
    'One result or error per item, in the order of the request. All records of a batch become durable together, or none does. Repeated identifiers are assessed once. Each item counts as one request against the limit. With `Idempotency-Key` the same key and body give the first answer again for 24 hours.',
  query: NO_PARAMETERS,
  requestHeaders: ['Idempotency-Key', 'X-Request-Id'],
  body: { schema: lookupBatchRequestSchema, maxBytes: LOOKUP_BATCH_MAX_BYTES, name: 'items', cost: lookupBatchCost },
  response: envelopeSchema(
    z
      .array(lookupBatchItemSchema)
      .min(1)
      .max(LOOKUP_BATCH_MAX_ITEMS)
      .refine((items) => items.every((item, i) => item.index === i), 'items are not in the order of the request'),
  ),
  paged: false,
  cacheable: false,
  errors: [...COMMON_ERRORS, ...BODY_ERRORS],
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

export const listLookups = defineEndpoint({
  id: 'listLookups',
  method: 'GET',
  path: '/api/imei',
  tier: 'enterprise',
  tag: 'Identifier risk',
  summary: "List your organization's lookups",
  description:
    "The whole records of the lookups that the caller's organization made, newest first, each as it was answered at its time.",
  query: z.object({
    ...pageParameters(HISTORY_LIMIT),
    identifier: optionalText().describe('Only lookups of this identifier, however it is written.'),
  }),
  requestHeaders: ['If-None-Match', 'X-Request-Id'],
  response: pageSchema(lookupRecordSchema),
  paged: true,
  cacheable: true,
  errors: COMMON_ERRORS,
  examples: [{ summary: 'The newest lookup', query: { limit: '2' }, data: [exampleBlacklistedLookup, exampleLookup] }],
})

export const listDefects = defineEndpoint({
  id: 'listDefects',
  method: 'GET',
  path: '/api/meta/defects',
  tier: 'public',
  tag: 'Registry',
  summary: 'List the defects',
  description:
    'What can be wrong with a device beside its wear: the words of `defects[]` in an appraisal, what mends each of them, and whether a device with it still has a grade.',
  query: NO_PARAMETERS,
  requestHeaders: ['If-None-Match', 'X-Request-Id'],
  response: envelopeSchema(z.array(defectSchema).min(1)),
  paged: false,
  cacheable: true,
  errors: COMMON_ERRORS,
  examples: [{ summary: 'The defects in force', data: DEFECTS }],
})

export const appraiseDevice = defineEndpoint({
  id: 'appraiseDevice',
  method: 'POST',
  path: '/api/appraisals',
  tier: 'paid',
  tag: 'Appraisals',
  summary: 'Appraise one device',
  description:
    "From what is in hand to a decision: what it is, whether it is safe to buy, what it is worth, what mending it costs, and the greatest offer at which the best plan still earns your policy's margin and loses money no more often than the policy allows. `offer.reasons[]` is the sum line by line. Where things do not fit together that is a finding, not a refusal; where too little is known to tell the device, the decision is `identify` with candidates to choose from. Never an offer on a device whose identifier is listed. The answer is given only after its record is durable, together with that of the lookup. With `Idempotency-Key` the same key and body give the first answer again for 24 hours.",
  query: NO_PARAMETERS,
  requestHeaders: ['Idempotency-Key', 'X-Request-Id'],
  body: {
    schema: appraisalRequestSchema,
    maxBytes: APPRAISAL_MAX_BYTES,
    tierFor: { tier: tierOfAppraisal, says: '**Enterprise** when an `identifier` is given' },
  },
  response: envelopeSchema(appraisalSchema),
  paged: false,
  cacheable: false,
  errors: [...COMMON_ERRORS, ...BODY_ERRORS, 'NOT_FOUND'],
  examples: [
    {
      summary: 'A phone with a cracked back that pays to mend',
      body: exampleAppraisalRequest,
      data: exampleAppraisal,
    },
    {
      summary: 'A phone whose identifier is listed (a sandbox identifier)',
      body: { identifier: '100000010000023', variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' },
      data: exampleRejectedAppraisal,
    },
  ],
})

export const appraiseDevices = defineEndpoint({
  id: 'appraiseDevices',
  method: 'POST',
  path: '/api/appraisals/batch',
  tier: 'paid',
  tag: 'Appraisals',
  summary: `Appraise up to ${APPRAISALS_MAX_ITEMS} devices`,
  description:
    'One appraisal or error per item, in the order of the request. All records of a batch become durable together, or none does. Each item counts as one request against the limit. With `Idempotency-Key` the same key and body give the first answer again for 24 hours.',
  query: NO_PARAMETERS,
  requestHeaders: ['Idempotency-Key', 'X-Request-Id'],
  body: {
    schema: appraisalsRequestSchema,
    maxBytes: APPRAISALS_MAX_BYTES,
    name: 'items',
    cost: appraisalsCost,
    tierFor: { tier: tierOfAppraisals, says: '**Enterprise** when an item has an `identifier`' },
  },
  response: envelopeSchema(
    z
      .array(appraisalItemSchema)
      .min(1)
      .max(APPRAISALS_MAX_ITEMS)
      .refine((items) => items.every((item, i) => item.index === i), 'items are not in the order of the request'),
  ),
  paged: false,
  cacheable: false,
  errors: [...COMMON_ERRORS, ...BODY_ERRORS],
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

export const listAppraisals = defineEndpoint({
  id: 'listAppraisals',
  method: 'GET',
  path: '/api/appraisals',
  tier: 'paid',
  tag: 'Appraisals',
  summary: "List your organization's appraisals",
  description: "The whole records of the appraisals that the caller's organization made, newest first.",
  query: z.object({
    ...pageParameters(HISTORY_LIMIT),
    reference: optionalText().describe('Only appraisals with this number of yours.'),
    decision: z
      .enum(APPRAISAL_DECISIONS, { error: `one of ${APPRAISAL_DECISIONS.join(', ')}` })
      .optional()
      .describe('Only appraisals with this decision.'),
  }),
  requestHeaders: ['If-None-Match', 'X-Request-Id'],
  response: pageSchema(appraisalSchema),
  paged: true,
  cacheable: true,
  errors: [...COMMON_ERRORS, 'VALIDATION_ERROR'],
  examples: [{ summary: 'The newest appraisal', query: { limit: '1' }, data: [exampleAppraisal] }],
})

export const getAppraisal = defineEndpoint({
  id: 'getAppraisal',
  method: 'GET',
  path: '/api/appraisals/{id}',
  params: z.object({ id: z.string().describe('The `appraisal_id` of an appraisal of your organization.') }),
  tier: 'paid',
  tag: 'Appraisals',
  summary: 'Get one appraisal',
  description:
    "An appraisal that the caller's organization made, as it was answered. Another organization's is not found.",
  query: NO_PARAMETERS,
  requestHeaders: ['If-None-Match', 'X-Request-Id'],
  response: envelopeSchema(appraisalSchema),
  paged: false,
  cacheable: true,
  errors: [...COMMON_ERRORS, 'NOT_FOUND'],
  examples: [
    {
      summary: 'An appraisal by its id',
      params: { id: exampleAppraisal.appraisal_id },
      data: exampleAppraisal,
    },
  ],
})

/** The wire, endpoint by endpoint. Routes, the OpenAPI document, the reference page and the conformance tests come from here. */
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
  createWatch,
  listWatches,
  deleteWatch,
  listEvents,
]

/** The endpoint that an address leads to. A path without places comes before one whose place it would fit. */
export function findEndpoint(method: string, path: string): Endpoint | undefined {
  const asked = method === 'HEAD' ? 'GET' : method
  const fitting = endpoints.filter((endpoint) => matchPath(endpoint.path, path) !== undefined)
  const plain = fitting.filter((endpoint) => !hasPathParameters(endpoint.path))
  return (plain.length > 0 ? plain : fitting).find((endpoint) => endpoint.method === asked)
}

/** Where an example of an endpoint is asked for. */
export function examplePath({ path, examples }: Endpoint): string {
  return fillPath(path, examples[0].params ?? {})
}
