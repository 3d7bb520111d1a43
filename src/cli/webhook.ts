import { eventId } from '../events/event.ts'
import { parseDeliveryFilter, parseEventTypes, parseWebhookUrl, type WebhookEndpoint } from '../events/webhook.ts'
import { webhookDeliveryStore } from '../events/webhook-delivery-store.ts'
import { type WebhookEndpointStore, webhookEndpointStore } from '../events/webhook-endpoint-store.ts'
import { openEncryption } from '../lib/encryption.ts'
import { formatTextTable } from '../lib/text-table.ts'
import { formatMinute, isoInstant, isoInstantOrNull } from '../lib/time.ts'
import { type Command, type CommandContext, parseArguments, requireOption } from './command.ts'
import { CommandError } from './command-error.ts'
import { currentCommandLineActor } from './current-actor.ts'
import { resolveOrganization } from './organization-option.ts'

const CREATE_ARGUMENTS = '--org ID --url URL [--types TYPE,TYPE] [--json]'
const MAX_OVERLAP_HOURS = 720
const MAX_DELIVERIES = 50

async function openStores(context: CommandContext) {
  const db = await context.openExistingDatabase()
  const encryption = openEncryption(context.config)
  return { ...webhookEndpointStore(db, encryption), ...webhookDeliveryStore(db, encryption) }
}

export const webhookCreate: Command = {
  name: 'webhook create',
  usage: CREATE_ARGUMENTS,
  help: 'Create a webhook endpoint and print its signing secret (shown once).',
  details:
    '  --url  an https address on the internet; WEBHOOK_ALLOW_PRIVATE=on also allows http and addresses of private networks',
  async run(args, context) {
    const usage = `webhook create ${CREATE_ARGUMENTS}`
    const options = {
      org: { type: 'string' },
      url: { type: 'string' },
      types: { type: 'string' },
      json: { type: 'boolean' },
    } as const
    const { values } = parseArguments(args, options, { least: 0, most: 0, usage })
    const organizationId = requireOption(values.org, 'org', usage)
    const url = parseWebhookUrl(requireOption(values.url, 'url', usage), context.config.webhookAllowPrivate)
    const types = parseEventTypes((values.types ?? '').split(',').filter(Boolean))
    const store = await openStores(context)
    const { endpoint, secret } = await store.createEndpoint(
      organizationId,
      { url, types },
      currentCommandLineActor(),
      context.now(),
    )
    context.print(values.json ? JSON.stringify({ secret, ...presentEndpoint(endpoint) }) : secret)
    context.report(`Webhook ${endpoint.id} created. Keep the secret: it cannot be shown again.`)
    return 0
  },
}

export const webhookList: Command = {
  name: 'webhook list',
  usage: '--org ID [--json]',
  help: "List an organization's webhook endpoints.",
  async run(args, context) {
    const usage = 'webhook list --org ID [--json]'
    const { values } = parseArguments(
      args,
      { org: { type: 'string' }, json: { type: 'boolean' } },
      { least: 0, most: 0, usage },
    )
    const organizationId = await resolveOrganization(requireOption(values.org, 'org', usage), context)
    const endpoints = await (await openStores(context)).endpoints(organizationId)
    if (values.json) context.print(JSON.stringify(endpoints.map(presentEndpoint)))
    else {
      const rows = endpoints.map((endpoint) => [
        endpoint.id,
        endpoint.url,
        endpoint.types.join(' ') || 'all',
        endpoint.disabledReason ?? 'in use',
        formatMinute(endpoint.createdAt),
      ])
      context.print(formatTextTable(['ID', 'ADDRESS', 'TYPES', 'STATE', 'CREATED'], rows))
    }
    return 0
  },
}

export const webhookRotate: Command = {
  name: 'webhook rotate',
  usage: 'WEBHOOK_ID [--overlap HOURS]',
  help: 'Create a new secret and print it. Deliveries are also signed with the old one for the overlap (default 24 hours).',
  async run(args, context) {
    const usage = 'webhook rotate WEBHOOK_ID [--overlap HOURS]'
    const { values, positionals } = parseArguments(args, { overlap: { type: 'string' } }, { least: 1, most: 1, usage })
    const overlap = values.overlap ?? '24'
    if (!/^\d{1,3}$/.test(overlap) || Number(overlap) > MAX_OVERLAP_HOURS) {
      throw new CommandError(`--overlap takes 0 to ${MAX_OVERLAP_HOURS} hours. Usage: ${usage}`, 2)
    }
    const [id = ''] = positionals
    const store = await openStores(context)
    const organizationId = await store.organizationOfEndpoint(id)
    context.print(
      await store.rotateSecret(organizationId, id, Number(overlap), currentCommandLineActor(), context.now()),
    )
    return 0
  },
}

const endpointCommand = (
  word: 'remove' | 'enable',
  help: string,
  done: string,
  work: (store: WebhookEndpointStore) => WebhookEndpointStore['removeEndpoint'],
): Command => ({
  name: `webhook ${word}`,
  usage: 'WEBHOOK_ID',
  help,
  async run(args, context) {
    const { positionals } = parseArguments(args, {}, { least: 1, most: 1, usage: `webhook ${word} WEBHOOK_ID` })
    const [id = ''] = positionals
    const store = await openStores(context)
    await work(store)(await store.organizationOfEndpoint(id), id, currentCommandLineActor(), context.now())
    context.report(`Webhook ${id} is ${done}.`)
    return 0
  },
})

export const webhookRemove = endpointCommand(
  'remove',
  'Delete a webhook endpoint and its deliveries.',
  'removed',
  (store) => store.removeEndpoint,
)
export const webhookEnable = endpointCommand(
  'enable',
  'Enable a disabled webhook endpoint; waiting deliveries are sent now.',
  'in use',
  (store) => store.enableEndpoint,
)

export const webhookTest: Command = {
  name: 'webhook test',
  usage: 'WEBHOOK_ID',
  help: 'Send a test event to a webhook endpoint and print its id.',
  async run(args, context) {
    const { positionals } = parseArguments(args, {}, { least: 1, most: 1, usage: 'webhook test WEBHOOK_ID' })
    const [id = ''] = positionals
    const store = await openStores(context)
    const organizationId = await store.organizationOfEndpoint(id)
    context.print(await store.sendTest(organizationId, id, currentCommandLineActor(), context.now()))
    context.report('A running service sends it within a second; "webhook deliveries" shows the response.')
    return 0
  },
}

const DELIVERIES_ARGUMENTS = 'WEBHOOK_ID [--state pending|delivered|failed] [--type TYPE] [--json]'

export const webhookDeliveries: Command = {
  name: 'webhook deliveries',
  usage: DELIVERIES_ARGUMENTS,
  help: 'Show the last deliveries to a webhook endpoint and its responses.',
  async run(args, context) {
    const { values, positionals } = parseArguments(
      args,
      { json: { type: 'boolean' }, state: { type: 'string' }, type: { type: 'string' } },
      { least: 1, most: 1, usage: `webhook deliveries ${DELIVERIES_ARGUMENTS}` },
    )
    const filter = parseDeliveryFilter(values.state, values.type)
    const [id = ''] = positionals
    const store = await openStores(context)
    const deliveries = await store.deliveries(await store.organizationOfEndpoint(id), id, MAX_DELIVERIES, filter)
    if (values.json) {
      const shown = deliveries.map((delivery) => ({
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
      context.print(JSON.stringify(shown))
    } else {
      const rows = deliveries.map((delivery) => [
        eventId(delivery),
        delivery.type,
        delivery.state,
        String(delivery.attempts),
        String(delivery.status ?? '-'),
        delivery.answer.slice(0, 60),
      ])
      context.print(formatTextTable(['EVENT', 'TYPE', 'STATE', 'ATTEMPTS', 'STATUS', 'ANSWER'], rows))
    }
    return 0
  },
}

const REPLAY_ARGUMENTS = 'WEBHOOK_ID EVENT_ID | WEBHOOK_ID --from TIME --to TIME [--failed]'

export const webhookReplay: Command = {
  name: 'webhook replay',
  usage: REPLAY_ARGUMENTS,
  help: 'Send an event, or all events of a time range, again with their ids.',
  details: [
    '  --from TIME  first time, such as 2026-11-01 or 2026-11-01T08:00Z (UTC)',
    '  --to TIME    end of the range, exclusive',
    '  --failed     only deliveries that failed',
  ].join('\n'),
  async run(args, context) {
    const usage = `webhook replay ${REPLAY_ARGUMENTS}`
    const { values, positionals } = parseArguments(
      args,
      { from: { type: 'string' }, to: { type: 'string' }, failed: { type: 'boolean' } },
      { least: 1, most: 2, usage },
    )
    const [id = '', event] = positionals
    const isRange = values.from !== undefined || values.to !== undefined
    if (isRange === (event !== undefined)) throw new CommandError(`Give an event or a time range. Usage: ${usage}`, 2)
    const from = parseTime('from', values.from)
    const to = parseTime('to', values.to)
    const store = await openStores(context)
    const organizationId = await store.organizationOfEndpoint(id)
    if (event !== undefined) {
      await store.replay(organizationId, id, event, currentCommandLineActor(), context.now())
      context.report(`Event ${event} is sent again.`)
      return 0
    }
    const range = { from: from ?? 0, to: to ?? context.now(), onlyFailed: values.failed === true }
    const count = await store.replayRange(organizationId, id, range, currentCommandLineActor(), context.now())
    context.report(`${count} ${count === 1 ? 'event is' : 'events are'} sent again.`)
    return 0
  },
}

function parseTime(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = Date.parse(/T/.test(text) && !/(Z|[+-]\d\d:?\d\d)$/.test(text) ? `${text}Z` : text)
  if (Number.isNaN(time))
    throw new CommandError(`--${option} takes a time such as 2026-11-01T08:00Z, not "${text}".`, 2)
  return time
}

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
