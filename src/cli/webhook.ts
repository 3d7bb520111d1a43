import type * as wire from '../../client/src/index.ts'
import { eventId } from '../events/event.ts'
import { parseDeliveryFilter, parseEventTypes, parseWebhookUrl, type WebhookEndpoint } from '../events/webhook.ts'
import { type Delivery, webhookDeliveryStore } from '../events/webhook-delivery-store.ts'
import { type WebhookEndpointStore, webhookEndpointStore } from '../events/webhook-endpoint-store.ts'
import { openEncryption } from '../lib/encryption.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { isoInstant, isoInstantOrNull } from '../lib/time.ts'
import {
  type CommandContext,
  type CommandOption,
  type CommandOutput,
  command,
  flag,
  optional,
  text,
  wholeNumber,
  withDefault,
} from './command.ts'
import { CommandError } from './command-error.ts'
import { resolveOrganization } from './organization-option.ts'
import { minuteOf } from './present.ts'

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
    return createdOutput(secret, presentEndpoint(endpoint), context)
  },
  async remote({ url, types = '' }, { client, of }, context) {
    const { webhook, secret } = await client.createWebhook(of, { url, types: types.split(',').filter(Boolean) })
    return createdOutput(secret, endpointFromApi(webhook), context)
  },
})

const webhookList = command({
  name: 'webhook list',
  help: "List an organization's webhook endpoints.",
  options: { org: text('ID') },
  json: true,
  async run({ org }, context) {
    const organizationId = await resolveOrganization(org, context)
    return endpointsOutput((await (await openStores(context)).endpoints(organizationId)).map(presentEndpoint))
  },
  remote: async (_, { client, of }) => endpointsOutput((await client.listWebhooks(of)).map(endpointFromApi)),
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
  async remote({ id, overlap }, { client, of }) {
    return { text: (await client.rotateWebhookSecret(id, of, { overlap_hours: overlap })).secret }
  },
})

const endpointCommand = (
  name: string,
  help: string,
  done: string,
  actionOf: (store: WebhookEndpointStore) => WebhookEndpointStore['removeEndpoint'],
  remoteAction: 'removeWebhook' | 'enableWebhook',
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
    async remote({ id }, { client, of }, context) {
      await client[remoteAction](id, of)
      context.report(`Webhook ${id} is ${done}.`)
    },
  })

const webhookRemove = endpointCommand(
  'webhook remove',
  'Delete a webhook endpoint and its deliveries.',
  'removed',
  (store) => store.removeEndpoint,
  'removeWebhook',
)
const webhookEnable = endpointCommand(
  'webhook enable',
  'Enable a disabled webhook endpoint; waiting deliveries are sent now.',
  'in use',
  (store) => store.enableEndpoint,
  'enableWebhook',
)

const webhookTest = command({
  name: 'webhook test',
  help: 'Send a test event to a webhook endpoint and print its id.',
  arguments: WEBHOOK,
  async run({ id }, context) {
    const store = await openStores(context)
    const event = await store.sendTest(await store.organizationOfEndpoint(id), id, context.actor, context.now())
    return testOutput(event, context)
  },
  remote: async ({ id }, { client, of }, context) => testOutput((await client.testWebhook(id, of)).event_id, context),
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
    return deliveriesOutput(deliveries.map(presentDelivery))
  },
  async remote({ id, state, type }, { client, of }) {
    const filter = { ...(state === undefined ? {} : { state }), ...(type === undefined ? {} : { type }) }
    const deliveries = await client.listWebhookDeliveries(id, { ...of, ...filter })
    return deliveriesOutput(deliveries.slice(0, MAX_DELIVERIES).map(deliveryFromApi))
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
    requireEventOrRange(event, from, to)
    const store = await openStores(context)
    const organizationId = await store.organizationOfEndpoint(id)
    if (event !== undefined) {
      await store.replay(organizationId, id, event, context.actor, context.now())
      context.report(`Event ${event} is sent again.`)
      return
    }
    const range = { from: from ?? 0, to: to ?? context.now(), onlyFailed: failed }
    reportReplayed(await store.replayRange(organizationId, id, range, context.actor, context.now()), context)
  },
  async remote({ id, event, from, to, failed }, { client, of }, context) {
    requireEventOrRange(event, from, to)
    if (event !== undefined) {
      await client.replayWebhookDelivery(id, event, of)
      context.report(`Event ${event} is sent again.`)
      return
    }
    const range = { from: isoInstant(from ?? 0), to: isoInstant(to ?? context.now()), only_failed: failed }
    reportReplayed((await client.replayWebhookDeliveries(id, of, range)).replayed, context)
  },
})

export const webhookCommands = [
  ...[webhookCreate, webhookList, webhookRotate, webhookEnable, webhookRemove],
  ...[webhookTest, webhookDeliveries, webhookReplay],
]

type EndpointJson = ReturnType<typeof presentEndpoint>
type DeliveryJson = ReturnType<typeof presentDelivery>

function presentEndpoint({ id, organizationId, url, types, createdAt, disabledAt, disabledReason }: WebhookEndpoint) {
  return {
    id,
    organization_id: organizationId,
    url,
    types: types as readonly string[],
    created_at: isoInstant(createdAt),
    disabled_at: isoInstantOrNull(disabledAt),
    disabled_reason: disabledReason,
  }
}

const endpointFromApi = ({ overlap_until: _, ...endpoint }: wire.Webhook): EndpointJson => endpoint

function createdOutput(secret: string, endpoint: EndpointJson, { report }: CommandContext): CommandOutput {
  report(`Webhook ${endpoint.id} created. Keep the secret: it cannot be shown again.`)
  return { text: secret, json: { secret, ...endpoint } }
}

function endpointsOutput(endpoints: readonly EndpointJson[]): CommandOutput {
  const table = formatItemTable(endpoints, {
    ID: ({ id }) => id,
    ADDRESS: ({ url }) => url,
    TYPES: ({ types }) => types.join(' ') || 'all',
    STATE: (endpoint) => endpoint.disabled_reason ?? 'in use',
    CREATED: (endpoint) => minuteOf(endpoint.created_at),
  })
  return { json: endpoints, text: table }
}

function testOutput(eventId: string, { report }: CommandContext): CommandOutput {
  report('A running service sends it within a second; "webhook deliveries" shows the response.')
  return { text: eventId }
}

function presentDelivery(delivery: Delivery) {
  return {
    event_id: eventId(delivery),
    type: delivery.type as string,
    state: delivery.state,
    attempts: delivery.attempts,
    status: delivery.status,
    answer: delivery.response,
    created_at: isoInstant(delivery.createdAt),
    settled_at: isoInstantOrNull(delivery.settledAt),
    data: JSON.parse(delivery.data) as unknown,
  }
}

function deliveryFromApi({ event_id, payload, state, ...delivery }: wire.WebhookDelivery): DeliveryJson {
  const { attempts, status, response: answer, settled_at } = delivery
  const { type, timestamp: created_at, data } = payload
  return { event_id, type, state, attempts, status, answer, created_at, settled_at, data }
}

function deliveriesOutput(deliveries: readonly DeliveryJson[]): CommandOutput {
  const table = formatItemTable(deliveries, {
    EVENT: (delivery) => delivery.event_id,
    TYPE: ({ type }) => type,
    STATE: ({ state }) => state,
    ATTEMPTS: ({ attempts }) => String(attempts),
    STATUS: ({ status }) => String(status ?? '-'),
    RESPONSE: ({ answer }) => answer.slice(0, 60),
  })
  return { json: deliveries, text: table }
}

function requireEventOrRange(event: string | undefined, from: number | undefined, to: number | undefined): void {
  const isRange = from !== undefined || to !== undefined
  if (isRange === (event !== undefined)) throw new CommandError('Give an event or a time range.', 2)
}

const reportReplayed = (count: number, { report }: CommandContext) =>
  report(`${count} ${count === 1 ? 'event is' : 'events are'} sent again.`)
