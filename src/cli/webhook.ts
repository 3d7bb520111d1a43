import { eventId } from '../events/event.ts'
import { parseDeliveryFilter, parseEventTypes, parseWebhookUrl, type WebhookEndpoint } from '../events/webhook.ts'
import { webhookDeliveryStore } from '../events/webhook-delivery-store.ts'
import { type WebhookEndpointStore, webhookEndpointStore } from '../events/webhook-endpoint-store.ts'
import { openEncryption } from '../lib/encryption.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { formatMinute, isoInstant, isoInstantOrNull } from '../lib/time.ts'
import {
  type CommandContext,
  type CommandOption,
  command,
  flag,
  optional,
  text,
  wholeNumber,
  withDefault,
} from './command.ts'
import { CommandError } from './command-error.ts'
import { resolveOrganization } from './organization-option.ts'

const MAX_OVERLAP_HOURS = 720
const MAX_DELIVERIES = 50
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

async function openStores(context: CommandContext) {
  const db = await context.openExistingDatabase()
  const encryption = openEncryption(context.config)
  return { ...webhookEndpointStore(db, encryption), ...webhookDeliveryStore(db, encryption) }
}

const webhookCreate = command({
  name: 'webhook create',
  help: 'Create a webhook endpoint and print its signing secret (shown once).',
  options: {
    org: text('ID'),
    url: text('URL', 'a public https URL; WEBHOOK_ALLOW_PRIVATE=on also allows http and private networks'),
    types: optional(text('TYPE,TYPE')),
  },
  json: true,
  async run({ org, url: wantedUrl, types: wantedTypes = '' }, context) {
    const url = parseWebhookUrl(wantedUrl, context.config.webhookAllowPrivate)
    const types = parseEventTypes(wantedTypes.split(',').filter(Boolean))
    const store = await openStores(context)
    const { endpoint, secret } = await store.createEndpoint(org, { url, types }, context.actor, context.now())
    context.report(`Webhook ${endpoint.id} created. Keep the secret: it cannot be shown again.`)
    return { text: secret, json: { secret, ...presentEndpoint(endpoint) } }
  },
})

const webhookList = command({
  name: 'webhook list',
  help: "List an organization's webhook endpoints.",
  options: { org: text('ID') },
  json: true,
  async run({ org }, context) {
    const organizationId = await resolveOrganization(org, context)
    const endpoints = await (await openStores(context)).endpoints(organizationId)
    const table = formatItemTable(endpoints, {
      ID: ({ id }) => id,
      ADDRESS: ({ url }) => url,
      TYPES: ({ types }) => types.join(' ') || 'all',
      STATE: ({ disabledReason }) => disabledReason ?? 'in use',
      CREATED: ({ createdAt }) => formatMinute(createdAt),
    })
    return { json: endpoints.map(presentEndpoint), text: table }
  },
})

const webhookRotate = command({
  name: 'webhook rotate',
  help: 'Create a new secret and print it. Deliveries are also signed with the old one for the overlap (default 24 hours).',
  arguments: WEBHOOK,
  options: { overlap: withDefault(wholeNumber('HOURS', { min: 0, max: MAX_OVERLAP_HOURS, unit: 'hours' }), 24) },
  async run({ id, overlap }, context) {
    const store = await openStores(context)
    const organizationId = await store.organizationOfEndpoint(id)
    return { text: await store.rotateSecret(organizationId, id, overlap, context.actor, context.now()) }
  },
})

const endpointCommand = (
  name: string,
  help: string,
  done: string,
  actionOf: (store: WebhookEndpointStore) => WebhookEndpointStore['removeEndpoint'],
) =>
  command({
    name,
    help,
    arguments: WEBHOOK,
    async run({ id }, context) {
      const store = await openStores(context)
      await actionOf(store)(await store.organizationOfEndpoint(id), id, context.actor, context.now())
      context.report(`Webhook ${id} is ${done}.`)
    },
  })

const webhookRemove = endpointCommand(
  'webhook remove',
  'Delete a webhook endpoint and its deliveries.',
  'removed',
  (store) => store.removeEndpoint,
)
const webhookEnable = endpointCommand(
  'webhook enable',
  'Enable a disabled webhook endpoint; waiting deliveries are sent now.',
  'in use',
  (store) => store.enableEndpoint,
)

const webhookTest = command({
  name: 'webhook test',
  help: 'Send a test event to a webhook endpoint and print its id.',
  arguments: WEBHOOK,
  async run({ id }, context) {
    const store = await openStores(context)
    const event = await store.sendTest(await store.organizationOfEndpoint(id), id, context.actor, context.now())
    context.report('A running service sends it within a second; "webhook deliveries" shows the response.')
    return { text: event }
  },
})

const webhookDeliveries = command({
  name: 'webhook deliveries',
  help: 'Show the last deliveries to a webhook endpoint and its responses.',
  arguments: WEBHOOK,
  options: { state: optional(text('pending|delivered|failed')), type: optional(text('TYPE')) },
  json: true,
  async run({ id, state, type }, context) {
    const filter = parseDeliveryFilter(state, type)
    const store = await openStores(context)
    const deliveries = await store.deliveries(await store.organizationOfEndpoint(id), id, MAX_DELIVERIES, filter)
    const table = formatItemTable(deliveries, {
      EVENT: (delivery) => eventId(delivery),
      TYPE: ({ type }) => type,
      STATE: ({ state }) => state,
      ATTEMPTS: ({ attempts }) => String(attempts),
      STATUS: ({ status }) => String(status ?? '-'),
      RESPONSE: ({ answer }) => answer.slice(0, 60),
    })
    const json = deliveries.map((delivery) => ({
      event_id: eventId(delivery),
      type: delivery.type,
      state: delivery.state,
      attempts: delivery.attempts,
      status: delivery.status,
      answer: delivery.answer,
      created_at: isoInstant(delivery.createdAt),
      settled_at: isoInstantOrNull(delivery.settledAt),
      data: JSON.parse(delivery.data),
    }))
    return { json, text: table }
  },
})

const webhookReplay = command({
  name: 'webhook replay',
  help: 'Send an event, or all events of a time range, again with their ids.',
  arguments: { ...WEBHOOK, event: optional(text('EVENT_ID')) },
  options: {
    from: optional(time('start of the range, such as 2026-11-01 or 2026-11-01T08:00Z (UTC)')),
    to: optional(time('end of the range, exclusive')),
    failed: flag('only deliveries that failed'),
  },
  async run({ id, event, from, to, failed }, context) {
    const isRange = from !== undefined || to !== undefined
    if (isRange === (event !== undefined)) throw new CommandError('Give an event or a time range.', 2)
    const store = await openStores(context)
    const organizationId = await store.organizationOfEndpoint(id)
    if (event !== undefined) {
      await store.replay(organizationId, id, event, context.actor, context.now())
      context.report(`Event ${event} is sent again.`)
      return
    }
    const range = { from: from ?? 0, to: to ?? context.now(), onlyFailed: failed }
    const count = await store.replayRange(organizationId, id, range, context.actor, context.now())
    context.report(`${count} ${count === 1 ? 'event is' : 'events are'} sent again.`)
  },
})

export const webhookCommands = [
  ...[webhookCreate, webhookList, webhookRotate, webhookEnable, webhookRemove],
  ...[webhookTest, webhookDeliveries, webhookReplay],
]

function presentEndpoint({ id, organizationId, url, types, createdAt, disabledAt, disabledReason }: WebhookEndpoint) {
  return {
    id,
    organization_id: organizationId,
    url,
    types,
    created_at: isoInstant(createdAt),
    disabled_at: isoInstantOrNull(disabledAt),
    disabled_reason: disabledReason,
  }
}
