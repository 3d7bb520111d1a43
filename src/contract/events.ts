import { z } from 'zod'
import { APPRAISAL_DECISIONS } from './appraisal.ts'
import { defineEndpoint } from './endpoint.ts'
import { cursorPageSchema } from './envelope.ts'
import { EVENT_TIERS, EVENT_TYPES, type EventType } from './event-types.ts'
import { IDENTIFIER_TYPES } from './lookups.ts'
import { DECLINED_BY } from './outcome.ts'
import { cursorLimitParameter } from './paging.ts'
import { QUOTE_OFFERS } from './quotes.ts'
import { TIERS } from './tiers.ts'
import { cents, component, currency, dateValue, instant, slugValue } from './values.ts'

export { EVENT_TIERS, EVENT_TYPES, type EventType }

/** 25 characters; 13 for events that a version before 0.2 wrote. */
const EVENT_ID = /^evt_(?:[0-9a-z]{13}|[0-9a-z]{25})$/

/** The wire form of an event; `id` names its data in the OpenAPI document. */
const defineEvent = <Type extends EventType, Fields extends z.core.$ZodLooseShape>(
  type: Type,
  id: string,
  description: string,
  fields: Fields,
) =>
  component(`${id}Event`, description, {
    id: z.string().regex(EVENT_ID).describe('Event id, the same in the list and in every delivery. Sorts by time.'),
    type: z.literal(type).describe('Event type.'),
    timestamp: instant.describe('Time of the event.'),
    data: component(id, description, fields),
  })

const watchId = z.string().describe('Watch that triggered the event.')
const reference = z.string().nullable().describe('Your reference of the watch.')

const identifierChangeEvent = defineEvent(
  'identifier.status_changed',
  'IdentifierStatusChanged',
  'The status of a watched identifier changed. Look it up again before you act.',
  {
    watch_id: watchId,
    reference,
    identifier: z.string().describe('Identifier as in the watch.'),
    identifier_type: z.enum(IDENTIFIER_TYPES).describe('Kind of identifier.'),
    source: z.string().min(1).describe('Origin: `registry` for an imported list, or the name of an outside source.'),
    list: z.string().nullable().describe('Name of the imported list, if any.'),
    change: z
      .enum(['listed', 'changed', 'cleared'])
      .describe('`listed`: now reported. `changed`: reported with another status. `cleared`: no longer reported.'),
    status_before: z.string().nullable().describe('Previous status; null if none.'),
    status_after: z.string().nullable().describe('New status; null if none.'),
    message: z.string().min(1).describe('Human-readable message.'),
  },
)

const priceChangedEvent = defineEvent(
  'price.changed',
  'PriceChanged',
  'The resale price of a watched variant changed by at least its threshold.',
  {
    watch_id: watchId,
    reference,
    variant_id: slugValue.describe('The watched variant.'),
    condition: z.literal('Good').describe('Watched grade.'),
    previous_price: cents.describe('Resale price at the last event, or when the watch was created.'),
    current_price: cents.describe('Current resale price.'),
    change_percent: z.number().describe('From `previous_price` to `current_price`; negative if the price fell.'),
    currency,
  },
)

const importFinishedEvent = defineEvent(
  'import.finished',
  'ImportFinished',
  'An import of the service or of your own observations finished.',
  {
    run_id: z.string().describe('Id of the import.'),
    format: z.string().min(1).describe('Kind of list, such as `lists` or `observations`.'),
    state: z.enum(['done', 'failed']).describe('Result.'),
    counts: z.record(z.string(), z.number()).describe('Counts, such as `rows` and `rejected`.'),
  },
)

const keyExpiringEvent = defineEvent('key.expiring', 'KeyExpiring', 'An API key expires within a week.', {
  key_id: z.string().describe('The key.'),
  name: z.string().describe('Its name.'),
  tier: z.enum(TIERS).describe('Its tier.'),
  last_four: z.string().describe('Its last four characters.'),
  expires_at: instant.describe('Expiry time.'),
})

const appraisalCreatedEvent = defineEvent('appraisal.created', 'AppraisalCreated', 'An appraisal was created.', {
  appraisal_id: z.string().describe('The appraisal.'),
  reference: z.string().nullable().describe('Your reference of the device.'),
  decision: z.enum(APPRAISAL_DECISIONS).describe('Decision.'),
  device_id: slugValue.nullable().describe('Device, if identified.'),
})

const appraisedDevice = {
  appraisal_id: z.string().describe('The appraisal.'),
  reference: z.string().nullable().describe('Your reference of the device.'),
  device_id: slugValue.nullable().describe('Device, if identified.'),
}
const isCorrection = z.boolean().describe('Whether it replaces an outcome that was recorded earlier.')
const dealPrice = z.int().min(0)

const appraisalBoughtEvent = defineEvent(
  'appraisal.bought',
  'AppraisalBought',
  'An appraised device was recorded as bought.',
  {
    ...appraisedDevice,
    price: dealPrice.describe('Price paid, in minor units of `currency`.'),
    currency: z.string().describe('Currency of the price.'),
    date: dateValue.describe('Day of the purchase.'),
    correction: isCorrection,
  },
)

const appraisalDeclinedEvent = defineEvent(
  'appraisal.declined',
  'AppraisalDeclined',
  'An appraisal was recorded as declined.',
  {
    ...appraisedDevice,
    declined_by: z.enum(DECLINED_BY).nullable().describe('Who declined; null if not recorded.'),
    date: dateValue.describe('Day.'),
    correction: isCorrection,
  },
)

const appraisalSoldEvent = defineEvent(
  'appraisal.sold',
  'AppraisalSold',
  'A device that was bought was recorded as sold.',
  {
    ...appraisedDevice,
    price: dealPrice.describe('Sale price, in minor units of `currency`.'),
    currency: z.string().describe('Currency of the sale price.'),
    date: dateValue.describe('Day of the sale.'),
    bought_price: dealPrice.describe('Price paid, in minor units of `bought_currency`.'),
    bought_currency: z.string().describe('Currency of the price paid.'),
    bought_date: dateValue.describe('Day of the purchase.'),
    correction: isCorrection,
  },
)

const appraisalReopenedEvent = defineEvent(
  'appraisal.reopened',
  'AppraisalReopened',
  'The outcome of an appraisal was removed; the appraisal is open again.',
  appraisedDevice,
)

const purchaseCreatedEvent = defineEvent(
  'purchase.created',
  'PurchaseCreated',
  'One or several devices were bought of one seller. Each device also has its own `appraisal.bought`.',
  {
    purchase_id: z.string().describe('The purchase.'),
    date: dateValue.describe('Day of the purchase.'),
    total: dealPrice.describe('Price paid for all devices, in minor units of `currency`.'),
    currency: z.string().describe('Currency of the prices.'),
    appraisal_ids: z.array(z.string()).describe('The devices.'),
    list_id: z.string().nullable().describe('The device list whose rows were bought.'),
  },
)
const quoteFields = {
  quote_id: z.string().describe('The quote.'),
  device_id: slugValue.describe('Device.'),
  offer: z.enum(QUOTE_OFFERS).describe('Kind of the offer.'),
  price: dealPrice.nullable().describe('Quoted price in minor units of `currency`; null without a firm price.'),
  currency: z.string().describe('Currency.'),
  appraisal_id: z.string().nullable().describe('Appraisal at the counter; null before.'),
}
const quoteEvent = <Type extends `quote.${string}` & EventType>(type: Type, id: string, description: string) =>
  defineEvent(type, id, description, quoteFields)

const quoteEvents = [
  quoteEvent('quote.created', 'QuoteCreated', 'A customer got a quote of the trade-in page and kept it.'),
  quoteEvent('quote.arrived', 'QuoteArrived', 'The customer of a quote is at the counter.'),
  quoteEvent('quote.bought', 'QuoteBought', 'The device of a quote was bought.'),
  quoteEvent('quote.declined', 'QuoteDeclined', 'The device of a quote was not bought.'),
  quoteEvent('quote.expired', 'QuoteExpired', 'A quote expired.'),
  quoteEvent('quote.cancelled', 'QuoteCancelled', 'A quote was cancelled.'),
] as const

const stockChangedEvent = defineEvent(
  'stock.changed',
  'StockChanged',
  'Asking price, location, reservation or costs of a device in stock changed. Purchase and sale have events of their own.',
  {
    appraisal_id: z.string().describe('The device, which is also the id of its stock item.'),
    stock_number: z.int().describe('Stock number.'),
    asking_price: z.int().nullable().describe('Asking price in minor units of `currency`; null if not set.'),
    location: z.string().nullable().describe('Where the device is.'),
    is_reserved: z.boolean().describe('Whether it is kept for somebody.'),
    costs: dealPrice.describe('Sum of the costs, in minor units of `currency`.'),
    currency: z.string().describe('Currency of the purchase.'),
  },
)

const webhookDisabledEvent = defineEvent(
  'webhook.disabled',
  'WebhookDisabled',
  'A webhook endpoint failed for three days and was disabled.',
  {
    webhook_id: z.string().describe('The endpoint.'),
    url: z.url().describe('Its address.'),
    reason: z.string().min(1).describe('Reason.'),
  },
)

const webhookTestEvent = defineEvent(
  'webhook.test',
  'WebhookTest',
  'A test event, sent on request to one endpoint whatever types it receives.',
  {
    webhook_id: z.string().describe('The endpoint.'),
    message: z.string().min(1).describe('Human-readable message.'),
  },
)

const usageThresholdEvent = defineEvent(
  'usage.threshold_reached',
  'UsageThresholdReached',
  'The requests of the month reached 80 or 100 percent of the monthly quota.',
  {
    month: z.string().describe('Calendar month (UTC), such as `2026-11`.'),
    threshold_percent: z.int().describe('Reached share of the quota: 80 or 100.'),
    monthly_requests: z.int().describe('Quota in requests per month.'),
    used: z.int().describe('Requests of the month so far.'),
    is_hard: z.boolean().describe('Whether requests beyond the quota are rejected.'),
  },
)

/** The body of a webhook delivery, by event type. */
export const eventSchemas = [
  identifierChangeEvent,
  priceChangedEvent,
  importFinishedEvent,
  keyExpiringEvent,
  appraisalCreatedEvent,
  appraisalBoughtEvent,
  appraisalDeclinedEvent,
  appraisalSoldEvent,
  appraisalReopenedEvent,
  purchaseCreatedEvent,
  stockChangedEvent,
  ...quoteEvents,
  webhookDisabledEvent,
  webhookTestEvent,
  usageThresholdEvent,
] as const

export const eventSchema = z
  .discriminatedUnion('type', eventSchemas)
  .describe('An event, as listed and as sent to webhooks.')
  .meta({ id: 'Event' })

export type EventWire = z.infer<typeof eventSchema>
export type EventData = { [Event in EventWire as Event['type']]: Event['data'] }

const exampleEvent: EventWire = {
  id: 'evt_0jt7yq1k0f246810c52148df3',
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

export const listEvents = defineEndpoint('GET /api/events', {
  id: 'listEvents',
  permission: 'events:read',
  tag: 'Events',
  summary: 'List events',
  description:
    'Events of your organization and its watches of the last 30 days, oldest first. Continue with `after` = `meta.next_after` of the last response: every event is returned exactly once. After an id that is no longer stored the list starts with the oldest event. Webhook endpoints receive the same events with the same ids.',
  query: z.object({
    after: z.string().regex(EVENT_ID, AFTER_PARAMETER).optional().describe('Only events after this one.'),
    type: z.enum(EVENT_TYPES, { error: TYPE_PARAMETER }).optional().describe('Only events of this type.'),
    limit: cursorLimitParameter('Events'),
  }),
  response: cursorPageSchema(eventSchema),
  errors: ['VALIDATION_ERROR'],
  examples: [
    {
      summary: 'The first events',
      query: { limit: '1' },
      data: [exampleEvent],
      meta: { limit: 1, has_next: true, next_after: exampleEvent.id },
    },
  ],
})
