import { z } from 'zod'
import { batchCost, batchResponse } from './batch.ts'
import { csvFormatParameters } from './csv-format.ts'
import { defineEndpoint, optionalText } from './endpoint.ts'
import { envelopeSchema, historySchema } from './envelope.ts'
import { exampleBlacklistedLookup, exampleCleanLookup, exampleLookup, exampleMistypedLookup } from './examples.ts'
import {
  IDENTIFIER_TYPES,
  LOOKUP_BATCH_MAX_BYTES,
  LOOKUP_BATCH_MAX_ITEMS,
  LOOKUP_MAX_BYTES,
  lookupBatchItemSchema,
  lookupBatchRequestSchema,
  lookupRequestSchema,
  lookupResultSchema,
} from './lookups.ts'
import { historyMeta, historyParameters, pageMeta } from './paging.ts'
import { component } from './values.ts'

export const assessIdentifier = defineEndpoint('POST /api/imei', {
  id: 'assessIdentifier',
  permission: 'lookups:write',
  tag: 'Identifier risk',
  summary: 'Assess the risk of one identifier',
  description:
    'Decodes the identifier, finds the device, queries all sources and scores their findings, with a reason for every point. The response is sent after its record is durable. A wrong check digit is a finding, not an error. Unknown is never clean: `clean` requires a response from a source that covers the list, named in `cleared_by`. A probable typing error gives `recheck_identifier` with `suggested_identifiers`.',
  idempotency: 'atomic',
  body: { schema: lookupRequestSchema, maxBytes: LOOKUP_MAX_BYTES },
  response: envelopeSchema(lookupResultSchema),
  errors: ['LIMIT_REACHED'],
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
  permission: 'lookups:write',
  tag: 'Identifier risk',
  summary: `Assess up to ${LOOKUP_BATCH_MAX_ITEMS.toLocaleString('en-US')} identifiers`,
  description:
    'One result or error per item, in the order of the request. All records of a batch become durable together, or none does. Repeated identifiers are assessed once. Each item counts as one request against the limit.',
  idempotency: 'atomic',
  body: {
    schema: lookupBatchRequestSchema,
    maxBytes: LOOKUP_BATCH_MAX_BYTES,
    name: 'items',
    cost: batchCost('items', LOOKUP_BATCH_MAX_ITEMS),
  },
  response: batchResponse(lookupBatchItemSchema, LOOKUP_BATCH_MAX_ITEMS),
  errors: ['LIMIT_REACHED'],
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
  permission: 'lookups:read',
  csvPermission: 'lookups:export',
  tag: 'Identifier risk',
  summary: "List your organization's lookups",
  description:
    "Complete lookup records of the caller's organization, newest first, as they were returned at the time. Continue with `after` = `meta.next_after`; numbered pages end at 10,000 records.",
  query: z.object({
    ...historyParameters('lkp'),
    identifier: optionalText().describe('Only lookups of this identifier, in any notation.'),
    ...csvFormatParameters,
  }),
  response: historySchema(lookupResultSchema),
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

export const getLookup = defineEndpoint('GET /api/imei/{id}', {
  id: 'getLookup',
  permission: 'lookups:read',
  params: z.object({ id: z.string().describe('The `lookup_id` of a lookup.') }),
  tag: 'Identifier risk',
  summary: 'Get one lookup',
  description: "A lookup record of the caller's organization, as it was returned at the time.",
  response: envelopeSchema(lookupResultSchema),
  errors: ['NOT_FOUND'],
  examples: [{ summary: 'A lookup by its id', params: { id: exampleLookup.lookup_id }, data: exampleLookup }],
})

const sandboxIdentifierSchema = component('SandboxIdentifier', 'A test identifier with a fixed result.', {
  identifier: z.string().describe('The identifier.'),
  identifier_type: z.enum(IDENTIFIER_TYPES).describe('Its type.'),
  outcome: z.string().describe('Short name of the result.'),
  about: z.string().describe('What the identifier shows.'),
})

export const listSandbox = defineEndpoint('GET /api/meta/sandbox', {
  id: 'listSandbox',
  permission: 'catalogue:read',
  tag: 'Identifier risk',
  summary: 'List the sandbox identifiers',
  description: 'Identifiers with fixed results, for tests of an integration. No source is queried for them.',
  response: envelopeSchema(z.array(sandboxIdentifierSchema)),
  examples: [
    {
      summary: 'One identifier',
      data: [
        {
          identifier: '100000010000015',
          identifier_type: 'imei',
          outcome: 'clean',
          about: 'Every list responded and none names it.',
        },
      ],
    },
  ],
})
