import type { EventType } from '../contract/event-types.ts'
import type { DeliveryWire } from '../contract/webhooks.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { isoInstant } from '../lib/time.ts'
import { type CommandOption, flag, managementCommand, optional, text, wholeNumber, withDefault } from './command.ts'
import { CommandError } from './command-error.ts'
import { minuteOf } from './tables.ts'

const MAX_OVERLAP_HOURS = 720
const WEBHOOK = { id: text('WEBHOOK_ID') }

/** Without a time zone, UTC. */
const time = (help: string): CommandOption<number> => ({
  placeholder: 'TIME',
  help,
  accepts: 'a time such as 2026-11-01T08:00Z',
  parse(value) {
    const parsed = Date.parse(/T/.test(value) && !/(Z|[+-]\d\d:?\d\d)$/.test(value) ? `${value}Z` : value)
    return Number.isNaN(parsed) ? undefined : parsed
  },
})

const webhookCreate = managementCommand({
  name: 'webhook create',
  help: 'Create a webhook endpoint and print its signing secret (shown once).',
  options: {
    org: text('ID'),
    url: text('URL', 'a public https URL; WEBHOOK_ALLOW_PRIVATE=on also allows http and private networks'),
    types: optional(text('TYPE,TYPE')),
  },
  json: true,
  async call({ url, types = '' }, { client, of }, { report }) {
    const created = await client.createWebhook(of, { url, types: types.split(',').filter(Boolean) as EventType[] })
    report(`Webhook ${created.webhook.id} created. Keep the secret: it cannot be shown again.`)
    return { text: created.secret, json: created }
  },
})

const webhookList = managementCommand({
  name: 'webhook list',
  help: "List an organization's webhook endpoints.",
  options: { org: text('ID') },
  json: true,
  async call(_, { client, of }) {
    const webhooks = await client.listWebhooks(of)
    const table = formatItemTable(webhooks, {
      ID: ({ id }) => id,
      ADDRESS: ({ url }) => url,
      TYPES: ({ types }) => types.join(' ') || 'all',
      STATE: (webhook) => webhook.disabled_reason ?? 'in use',
      CREATED: (webhook) => minuteOf(webhook.created_at),
    })
    return { json: webhooks, text: table }
  },
})

const webhookRotate = managementCommand({
  name: 'webhook rotate',
  help: 'Create a new secret and print it. Deliveries are also signed with the old one for the overlap (default 24 hours).',
  arguments: WEBHOOK,
  options: { overlap: withDefault(wholeNumber('HOURS', { min: 0, max: MAX_OVERLAP_HOURS, unit: 'hours' }), 24) },
  call: async ({ id, overlap }, { client, of }) => ({
    text: (await client.rotateWebhookSecret(id, of, { overlap_hours: overlap })).secret,
  }),
})

const webhookEnable = managementCommand({
  name: 'webhook enable',
  help: 'Enable a disabled webhook endpoint; waiting deliveries are sent now.',
  arguments: WEBHOOK,
  async call({ id }, { client, of }, { report }) {
    await client.changeWebhook(id, of, { enabled: true })
    report(`Webhook ${id} is in use.`)
  },
})

const webhookRemove = managementCommand({
  name: 'webhook remove',
  help: 'Delete a webhook endpoint and its deliveries.',
  arguments: WEBHOOK,
  async call({ id }, { client, of }, { report }) {
    await client.removeWebhook(id, of)
    report(`Webhook ${id} is removed.`)
  },
})

const webhookTest = managementCommand({
  name: 'webhook test',
  help: 'Send a test event to a webhook endpoint and print its id.',
  arguments: WEBHOOK,
  async call({ id }, { client, of }, { report }) {
    const { event_id: eventId } = await client.testWebhook(id, of)
    report('A running service sends it within a second; "webhook deliveries" shows the response.')
    return { text: eventId }
  },
})

const webhookDeliveries = managementCommand({
  name: 'webhook deliveries',
  help: 'Show the last deliveries to a webhook endpoint and its responses.',
  arguments: WEBHOOK,
  options: { state: optional(text('pending|delivered|failed')), type: optional(text('TYPE')) },
  json: true,
  async call({ id, state, type }, { client, of }) {
    const filter = { ...(state && { state: state as DeliveryWire['state'] }), ...(type && { type: type as EventType }) }
    const deliveries = await client.listWebhookDeliveries(id, { ...of, ...filter })
    const table = formatItemTable(deliveries, {
      EVENT: (delivery) => delivery.event_id,
      TYPE: ({ payload }) => payload.type,
      STATE: ({ state }) => state,
      ATTEMPTS: ({ attempts }) => String(attempts),
      STATUS: ({ status }) => String(status ?? '-'),
      RESPONSE: ({ response }) => response.slice(0, 60),
    })
    return { json: deliveries, text: table }
  },
})

const webhookReplay = managementCommand({
  name: 'webhook replay',
  help: 'Send an event, or all events of a time range, again with their ids.',
  arguments: { ...WEBHOOK, event: optional(text('EVENT_ID')) },
  options: {
    from: optional(time('start of the range, such as 2026-11-01 or 2026-11-01T08:00Z (UTC)')),
    to: optional(time('end of the range, exclusive')),
    failed: flag('only deliveries that failed'),
  },
  async call({ id, event, from, to, failed }, { client, of }, { now, report }) {
    const isRange = from !== undefined || to !== undefined
    if (isRange === (event !== undefined)) throw new CommandError('Give an event or a time range.', 2)
    if (event !== undefined) {
      await client.replayWebhookDeliveries(id, of, { event_id: event })
      report(`Event ${event} is sent again.`)
    } else {
      const range = { from: isoInstant(from ?? 0), to: isoInstant(to ?? now()), only_failed: failed }
      const { replayed } = await client.replayWebhookDeliveries(id, of, range)
      report(`${replayed} ${replayed === 1 ? 'event is' : 'events are'} sent again.`)
    }
  },
})

export const webhookCommands = [
  ...[webhookCreate, webhookList, webhookRotate, webhookEnable, webhookRemove],
  ...[webhookTest, webhookDeliveries, webhookReplay],
]
