import { z } from 'zod'
import { APPRAISAL_DECISIONS, appraisalItemSchema, appraisalPreviewSchema, appraisalSchema } from './appraisal.ts'
import {
  APPRAISAL_MAX_BYTES,
  APPRAISALS_MAX_BYTES,
  APPRAISALS_MAX_ITEMS,
  appraisalPreviewRequestSchema,
  appraisalsRequestSchema,
  NEW_APPRAISAL_MAX_BYTES,
  newAppraisalSchema,
  tierOfAppraisal,
  tierOfAppraisals,
  tierOfPreview,
} from './appraisal-request.ts'
import { batchCost, batchResponse } from './batch.ts'
import { csvFormatParameters } from './csv-format.ts'
import { defineEndpoint, optionalText, recordSearch } from './endpoint.ts'
import { envelopeSchema, historySchema } from './envelope.ts'
import { exampleAppraisal, exampleAppraisalRequest, exampleRejectedAppraisal } from './examples.ts'
import { OUTCOME_FILTERS } from './outcome.ts'
import { historyMeta, historyParameters, pageMeta } from './paging.ts'
import { component, dayParameter, timeZoneValue } from './values.ts'

export const appraiseDevice = defineEndpoint('POST /api/appraisals', {
  id: 'appraiseDevice',
  permission: 'appraisals:write',
  tag: 'Appraisals',
  summary: 'Appraise one device',
  description:
    "Identifies the device, checks its risk, estimates prices and repair costs, and calculates the highest offer at which the best plan earns your policy's margin within the allowed probability of a loss. `offer.reasons[]` is the calculation line by line. Conflicting input is a finding, not an error; if the device cannot be identified, the decision is `identify` with candidates. Blacklisted devices never get an offer. The response is sent after its record and that of the lookup are durable.",
  idempotency: 'atomic',
  body: {
    schema: newAppraisalSchema,
    secretFields: ['approval'],
    maxBytes: NEW_APPRAISAL_MAX_BYTES,
    tierFor: { tier: tierOfAppraisal, says: '**Enterprise** when an `identifier` is given' },
  },
  response: envelopeSchema(appraisalSchema),
  errors: ['NOT_FOUND', 'LIMIT_REACHED'],
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
  permission: 'appraisals:batch',
  tag: 'Appraisals',
  summary: `Appraise up to ${APPRAISALS_MAX_ITEMS} devices`,
  description:
    'One appraisal or error per item, in the order of the request. All records of a batch become durable together, or none does. Each item counts as one request against the limit.',
  idempotency: 'atomic',
  body: {
    schema: appraisalsRequestSchema,
    maxBytes: APPRAISALS_MAX_BYTES,
    name: 'items',
    cost: batchCost('items', APPRAISALS_MAX_ITEMS),
    tierFor: { tier: tierOfAppraisals, says: '**Enterprise** when an item has an `identifier`' },
  },
  response: batchResponse(appraisalItemSchema, APPRAISALS_MAX_ITEMS),
  errors: ['LIMIT_REACHED'],
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

const { appraisal_id: _id, created_by: _author, outcome: _outcome, ...examplePreview } = exampleAppraisal

export const previewAppraisal = defineEndpoint('POST /api/appraisals/preview', {
  id: 'previewAppraisal',
  permission: 'appraisals:write',
  tag: 'Appraisals',
  isMetered: false,
  isIdempotent: true,
  summary: 'Preview an appraisal',
  description:
    'Calculates an appraisal without recording it, with the offers for all four grades. An identifier is not looked up again: `lookup_id` names a lookup of your organization.',
  body: {
    schema: appraisalPreviewRequestSchema,
    maxBytes: APPRAISAL_MAX_BYTES,
    tierFor: { tier: tierOfPreview, says: '**Enterprise** when a `lookup_id` is given' },
  },
  response: envelopeSchema(appraisalPreviewSchema),
  errors: ['NOT_FOUND'],
  examples: [
    {
      summary: 'A phone with a cracked back',
      body: exampleAppraisalRequest,
      data: {
        ...examplePreview,
        grades: examplePreview.value.map((value) => ({ ...value, max_offer: null, recommended_offer: null })),
        trade_in: null,
      },
    },
  ],
})

export const listAppraisals = defineEndpoint('GET /api/appraisals', {
  id: 'listAppraisals',
  permission: 'appraisals:read',
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
    device_id: optionalText().describe('Only appraisals of this device.'),
    q: recordSearch(),
    day: dayParameter.optional().describe('Only appraisals of this day, in `time_zone`.'),
    time_zone: timeZoneValue.default('UTC').describe('Time zone of `day`, such as `Europe/Vilnius`. Default: UTC.'),
    ...csvFormatParameters,
  }),
  csvPermission: 'appraisals:export',
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

const appraisedDeviceSchema = component('AppraisedDevice', 'A device that was appraised.', {
  device_id: z.string().describe('The device.'),
  device_name: z.string().describe('Its name; its id if it is no longer in the registry.'),
  total: z.int().min(1).describe('Number of appraisals.'),
})
export type AppraisedDeviceWire = z.infer<typeof appraisedDeviceSchema>

export const listAppraisedDevices = defineEndpoint('GET /api/appraisals/devices', {
  id: 'listAppraisedDevices',
  permission: 'appraisals:read',
  tag: 'Appraisals',
  summary: 'List the devices that you appraised',
  description: 'The devices that your organization appraised most, at most 200, most often first.',
  response: envelopeSchema(z.array(appraisedDeviceSchema)),
  examples: [
    {
      summary: 'Two devices',
      data: [
        { device_id: 'apple-iphone-13', device_name: 'iPhone 13', total: 12 },
        { device_id: 'apple-iphone-13-mini', device_name: 'iPhone 13 mini', total: 3 },
      ],
    },
  ],
})

export const getAppraisal = defineEndpoint('GET /api/appraisals/{id}', {
  id: 'getAppraisal',
  permission: 'appraisals:read',
  params: z.object({ id: z.string().describe('The `appraisal_id` of an appraisal of your organization.') }),
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
