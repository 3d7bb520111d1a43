import { z } from 'zod'
import { APPRAISAL_DECISIONS } from './appraisal.ts'
import { COMMON_ERRORS, defineEndpoint } from './endpoint.ts'
import { cursorPageSchema } from './envelope.ts'
import { IDENTIFIER_TYPES } from './lookups.ts'
import { cursorLimitParameter } from './paging.ts'
import { TIERS } from './tiers.ts'
import { cents, currency, instant, slugValue } from './values.ts'

/** What an organization is told of by itself. */
export const EVENT_TYPES = [
  'identifier.status_changed',
  'price.changed',
  'import.finished',
  'key.expiring',
  'appraisal.created',
  'webhook.disabled',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

const watchId = z.string().describe('The watch that told of it.')
const reference = z.string().nullable().describe('Your own number of the watch.')

/** What each type carries. */
const identifierChangeSchema = z
  .strictObject({
    watch_id: watchId,
    reference,
    identifier: z.string().describe('As the watch has it.'),
    identifier_type: z.enum(IDENTIFIER_TYPES).describe('Kind of identifier.'),
    source: z
      .string()
      .min(1)
      .describe('Who said so: `registry` for an imported list, or the name of an outside source.'),
    list: z.string().nullable().describe('The imported list, where it was one.'),
    change: z
      .enum(['listed', 'changed', 'cleared'])
      .describe('`listed`: reported now. `changed`: reported otherwise than before. `cleared`: reported no more.'),
    status_before: z.string().nullable().describe('What was known before; null where nothing was.'),
    status_after: z.string().nullable().describe('What is known now; null where nothing is any more.'),
    message: z.string().min(1).describe('One sentence for a person.'),
  })
  .describe('What is known about a watched identifier has changed. Look it up again before you act.')
  .meta({ id: 'IdentifierStatusChanged' })

const priceChangedSchema = z
  .strictObject({
    watch_id: watchId,
    reference,
    variant_id: slugValue.describe('The watched variant.'),
    condition: z.literal('Good').describe('The grade that is watched.'),
    previous_price: cents.describe('Resale price when it was watched or told of last.'),
    current_price: cents.describe('Resale price now.'),
    change_percent: z.number().describe('From `previous_price` to `current_price`; negative when it fell.'),
    currency,
  })
  .describe('The resale price of a watched variant has moved by its threshold or more.')
  .meta({ id: 'PriceChanged' })

const importFinishedSchema = z
  .strictObject({
    run_id: z.string().describe('The record of the import.'),
    format: z.string().min(1).describe('Kind of list, such as `lists` or `observations`.'),
    state: z.enum(['done', 'failed']).describe('How it ended.'),
    figures: z.record(z.string(), z.number()).describe('What came of it, such as `rows` and `rejected`.'),
  })
  .describe('An import of the service, or of your own observations, has ended.')
  .meta({ id: 'ImportFinished' })

const keyExpiringSchema = z
  .strictObject({
    key_id: z.string().describe('The key.'),
    name: z.string().describe('Its name.'),
    tier: z.enum(TIERS).describe('Its tier.'),
    last_four: z.string().describe('Its last four characters.'),
    expires_at: instant.describe('When it ends.'),
  })
  .describe('A key of yours ends within a week.')
  .meta({ id: 'KeyExpiring' })

const appraisalCreatedSchema = z
  .strictObject({
    appraisal_id: z.string().describe('The appraisal.'),
    reference: z.string().nullable().describe('Your own number of the device.'),
    decision: z.enum(APPRAISAL_DECISIONS).describe('What was decided.'),
    device_id: slugValue.nullable().describe('The device, where it is known.'),
  })
  .describe('An appraisal was made.')
  .meta({ id: 'AppraisalCreated' })

const webhookDisabledSchema = z
  .strictObject({
    webhook_id: z.string().describe('The endpoint.'),
    url: z.url().describe('Its address.'),
    reason: z.string().min(1).describe('Why, in one sentence.'),
  })
  .describe('An endpoint of yours did not take deliveries for three days and gets no more.')
  .meta({ id: 'WebhookDisabled' })

export type EventData = {
  'identifier.status_changed': z.infer<typeof identifierChangeSchema>
  'price.changed': z.infer<typeof priceChangedSchema>
  'import.finished': z.infer<typeof importFinishedSchema>
  'key.expiring': z.infer<typeof keyExpiringSchema>
  'appraisal.created': z.infer<typeof appraisalCreatedSchema>
  'webhook.disabled': z.infer<typeof webhookDisabledSchema>
}

export const EVENT_ID = /^evt_[0-9a-z]{13}$/

const eventSchemaOf = <Type extends EventType, Data extends z.ZodType>(type: Type, data: Data) =>
  z.strictObject({
    id: z.string().regex(EVENT_ID).describe('The same in the list and in every delivery. Sorts by time.'),
    type: z.literal(type).describe('What kind of event it is.'),
    timestamp: instant.describe('When it happened.'),
    data,
  })

export const eventSchema = z
  .discriminatedUnion('type', [
    eventSchemaOf('identifier.status_changed', identifierChangeSchema),
    eventSchemaOf('price.changed', priceChangedSchema),
    eventSchemaOf('import.finished', importFinishedSchema),
    eventSchemaOf('key.expiring', keyExpiringSchema),
    eventSchemaOf('appraisal.created', appraisalCreatedSchema),
    eventSchemaOf('webhook.disabled', webhookDisabledSchema),
  ])
  .describe('Something that happened, as the list shows it and webhooks carry it.')
  .meta({ id: 'Event' })

export type EventWire = z.infer<typeof eventSchema>

const exampleEvent: EventWire = {
  id: 'evt_00000002x0001',
  type: 'identifier.status_changed',
  timestamp: '2026-03-02T09:30:00.000Z',
  data: {
    watch_id: 'wat_0f246810c52148df3',
    reference: 'sale-1077',
    identifier: '01-355400-629701-5',
    identifier_type: 'imei',
    source: 'registry',
    list: 'stolen',
    change: 'listed',
    status_before: null,
    status_after: 'blacklist',
    message: 'It was put on the list "stolen" as blacklist.',
  },
}

const TYPE_PARAMETER = `one of ${EVENT_TYPES.join(', ')}`
const AFTER_PARAMETER = 'the id of an event, as this list gives them'

export const listEvents = defineEndpoint({
  id: 'listEvents',
  method: 'GET',
  path: '/api/events',
  tier: 'enterprise',
  tag: 'Events',
  summary: 'List events',
  description:
    'What happened to your organization and what it watches, oldest first, for 30 days. Ask with `after` = `meta.next_after` of the last answer: no event is left out, and none comes twice. The same events, under the same ids, are sent to webhook endpoints.',
  query: z.object({
    after: z.string().regex(EVENT_ID, AFTER_PARAMETER).optional().describe('Only events after this one.'),
    type: z.enum(EVENT_TYPES, { error: TYPE_PARAMETER }).optional().describe('Only events of this type.'),
    limit: cursorLimitParameter('Events'),
  }),
  requestHeaders: ['If-None-Match', 'X-Request-Id'],
  response: cursorPageSchema(eventSchema),
  paged: false,
  cacheable: true,
  errors: [...COMMON_ERRORS, 'FORBIDDEN', 'VALIDATION_ERROR'],
  examples: [
    {
      summary: 'The first events',
      query: { limit: '1' },
      data: [exampleEvent],
      meta: { limit: 1, has_next: true, next_after: exampleEvent.id },
    },
  ],
})
