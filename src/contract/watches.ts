import { z } from 'zod'
import { defineEndpoint, optionalText } from './endpoint.ts'
import { cursorPageSchema, envelopeSchema } from './envelope.ts'
import { IDENTIFIER_TYPES, lookupRequestSchema } from './lookups.ts'
import { cursorLimitParameter } from './paging.ts'
import { cents, instant, optionalField, slugValue } from './values.ts'

const WATCH_MAX_BYTES = 16 * 1024
const UNTIL_PARAMETER = 'a day such as 2026-12-31 or an instant such as 2026-12-31T12:00:00Z'
const THRESHOLD_PARAMETER = 'a whole number from 1 to 90'
const REFERENCE_PARAMETER = 'text of at most 100 characters'
export const DEFAULT_THRESHOLD_PERCENT = 5

export const watchRequestSchema = z
  .object(
    {
      identifier: optionalField(lookupRequestSchema.shape.identifier).meta({
        description: 'The IMEI, MEID, ESN or serial number to watch. Give this or `variant_id`.',
        override: { type: 'string', minLength: 1 },
      }),
      identifier_type: lookupRequestSchema.shape.identifier_type,
      variant_id: optionalField(z.string({ error: 'the id of a variant' })).meta({
        description: 'The variant whose price to watch.',
        override: { type: 'string' },
      }),
      threshold_percent: optionalField(
        z.int({ error: THRESHOLD_PARAMETER }).min(1, THRESHOLD_PARAMETER).max(90, THRESHOLD_PARAMETER),
      ).meta({
        description: `With \`variant_id\`: price change in percent that triggers an event; default ${DEFAULT_THRESHOLD_PERCENT}.`,
        override: { type: 'integer', minimum: 1, maximum: 90, default: DEFAULT_THRESHOLD_PERCENT },
      }),
      until: optionalField(
        z
          .string({ error: UNTIL_PARAMETER })
          .trim()
          .regex(/^\d{4}-\d{2}-\d{2}(T\S{4,30})?$/, UNTIL_PARAMETER),
      ).meta({
        description:
          'End of the watch: a day (inclusive) or an instant. Without end if absent; for an identifier, until the service deletes old lookups (see `until` in the response).',
        override: { type: 'string' },
      }),
      reference: optionalField(
        z
          .string({ error: REFERENCE_PARAMETER })
          .trim()
          .max(100, REFERENCE_PARAMETER)
          .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'text without control characters'),
      ).meta({
        description: 'Your reference; included in every event.',
        override: { type: 'string', maxLength: 100 },
      }),
    },
    { error: 'a JSON object with an identifier or a variant_id' },
  )
  .refine(({ identifier, variant_id }) => identifier !== undefined || variant_id !== undefined, {
    path: ['identifier'],
    error: 'an identifier or a variant_id',
  })
  .refine(({ identifier, variant_id }) => identifier === undefined || variant_id === undefined, {
    path: ['variant_id'],
    error: 'either an identifier or a variant_id, not both',
  })
  .refine(({ identifier, threshold_percent }) => identifier === undefined || threshold_percent === undefined, {
    path: ['threshold_percent'],
    error: 'no threshold beside an identifier',
  })
  .meta({ id: 'WatchRequest', description: 'What to watch.' })

export type WatchRequestWire = z.output<typeof watchRequestSchema>

export const watchSchema = z
  .strictObject({
    id: z.string().describe('Watch id.'),
    kind: z.enum(['identifier', 'variant']).describe('What is watched.'),
    identifier: z.string().nullable().describe('The identifier as sent.'),
    identifier_type: z.enum(IDENTIFIER_TYPES).nullable().describe('Identifier type.'),
    variant_id: slugValue.nullable().describe('The variant.'),
    threshold_percent: z.int().nullable().describe('Price change that triggers an event.'),
    reference_price: cents.nullable().describe('Resale price (Good) that changes are measured from, US cents.'),
    until: instant.nullable().describe('End of the watch; null without end.'),
    reference: z.string().nullable().describe('Your reference.'),
    created_at: instant.describe('Time of creation.'),
  })
  .describe('A watch on an identifier or on the price of a variant.')
  .refine((watch) => (watch.kind === 'identifier') === (watch.identifier !== null), 'kind contradicts what is watched')
  .meta({ id: 'Watch' })

export type WatchWire = z.infer<typeof watchSchema>

const exampleWatch: WatchWire = {
  id: 'wat_0f246810c52148df3',
  kind: 'identifier',
  identifier: '01-355400-629701-5',
  identifier_type: 'imei',
  variant_id: null,
  threshold_percent: null,
  reference_price: null,
  until: '2026-12-31T23:59:59.999Z',
  reference: 'sale-1077',
  created_at: '2026-03-02T09:30:00.000Z',
}

export const createWatch = defineEndpoint('POST /api/watches', {
  id: 'createWatch',
  permission: 'watches:write',
  isIdempotent: true,
  tag: 'Events',
  summary: 'Watch an identifier or a price',
  description:
    'Creates an event whenever an imported list, a feed or an outside source changes the status of the identifier (`identifier.status_changed`), or the resale price of the variant changes by the threshold (`price.changed`). Only later changes are reported; use a lookup for the current status. Watching the same subject again with the same reference updates the existing watch.',
  body: { schema: watchRequestSchema, maxBytes: WATCH_MAX_BYTES },
  response: envelopeSchema(watchSchema),
  errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  examples: [
    {
      summary: 'A device that was sold, until the end of the year',
      body: { identifier: '01-355400-629701-5', until: '2026-12-31', reference: 'sale-1077' },
      data: exampleWatch,
    },
  ],
})

export const listWatches = defineEndpoint('GET /api/watches', {
  id: 'listWatches',
  permission: 'watches:read',
  tag: 'Events',
  summary: "List your organization's watches",
  description: 'Oldest first, without ended watches. Continue with `after` = `meta.next_after`.',
  query: z.object({
    after: z
      .string()
      .regex(/^wat_[0-9a-z]{1,60}$/, 'the id of a watch, as this list gives them')
      .optional()
      .describe('Only watches after this one.'),
    reference: optionalText().describe('Only watches with this reference.'),
    limit: cursorLimitParameter('Watches'),
  }),
  response: cursorPageSchema(watchSchema),
  errors: ['VALIDATION_ERROR'],
  examples: [
    {
      summary: 'The first watch',
      query: { limit: '1' },
      data: [exampleWatch],
      meta: { limit: 1, has_next: false, next_after: exampleWatch.id },
    },
  ],
})

export const getWatch = defineEndpoint('GET /api/watches/{id}', {
  id: 'getWatch',
  permission: 'watches:read',
  params: z.object({ id: z.string().describe('The `id` of a watch of your organization.') }),
  tag: 'Events',
  summary: 'Get a watch',
  description: 'One watch of your organization.',
  response: envelopeSchema(watchSchema),
  errors: ['NOT_FOUND'],
  examples: [{ summary: 'A device that was sold', params: { id: exampleWatch.id }, data: exampleWatch }],
})

export const deleteWatch = defineEndpoint('DELETE /api/watches/{id}', {
  id: 'deleteWatch',
  permission: 'watches:write',
  params: z.object({ id: z.string().describe('The `id` of a watch of your organization.') }),
  tag: 'Events',
  summary: 'End a watch',
  description: 'Ends the watch immediately. Its events remain available.',
  response: envelopeSchema(watchSchema),
  errors: ['NOT_FOUND'],
  examples: [{ summary: 'A watch that ended', params: { id: exampleWatch.id }, data: exampleWatch }],
})
