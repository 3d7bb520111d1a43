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
import { defineEndpoint, optionalText } from './endpoint.ts'
import { envelopeSchema, historySchema } from './envelope.ts'
import { exampleAppraisal, exampleAppraisalRequest, exampleRejectedAppraisal } from './examples.ts'
import { OUTCOME_FILTERS } from './outcome.ts'
import { historyMeta, historyParameters, pageMeta } from './paging.ts'

export const appraiseDevice = defineEndpoint('POST /api/appraisals', {
  id: 'appraiseDevice',
  permission: 'appraisals:write',
  tag: 'Appraisals',
  summary: 'Appraise one device',
  description:
    "Identifies the device, checks its risk, estimates prices and repair costs, and calculates the highest offer at which the best plan earns your policy's margin within the allowed probability of a loss. `offer.reasons[]` is the calculation line by line. Conflicting input is a finding, not an error; if the device cannot be identified, the decision is `identify` with candidates. Blacklisted devices never get an offer. The response is sent after its record and that of the lookup are durable.",
  idempotency: 'atomic',
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
