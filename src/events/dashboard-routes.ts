import type { DeliveryWire, WebhookWire } from '../contract/webhooks.ts'
import { notFound } from '../lib/errors.ts'
import { isoInstant, isoInstantOrNull } from '../lib/time.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { type DashboardRoute, dashboardRoute } from '../people/session-route.ts'
import { presentEvent } from './event.ts'
import { parseDeliveryFilter, parseEventTypes, parseWebhookUrl, type WebhookEndpoint } from './webhook.ts'
import type { Delivery } from './webhook-delivery-store.ts'

const MAX_DELIVERIES = 100

/** Webhook endpoints of the organization: members can see them, owners can change them. */
export function webhookDashboardRoutes({
  webhooks,
  webhookDeliveries,
  watches,
  webhookAllowPrivate,
}: Pick<
  DashboardDependencies,
  'webhooks' | 'webhookDeliveries' | 'watches' | 'webhookAllowPrivate'
>): DashboardRoute[] {
  return [
    dashboardRoute('GET /account/webhooks', async (c) => ({
      data: (await webhooks.endpoints(c.get('organization').id)).map(presentWebhook),
    })),

    dashboardRoute('POST /account/webhooks', async (c, { url, types }) => {
      const newEndpoint = { url: parseWebhookUrl(url, webhookAllowPrivate), types: parseEventTypes(types) }
      const { actor } = c.get('principal')
      const created = await webhooks.createEndpoint(c.get('organization').id, newEndpoint, actor, c.get('facts').now)
      return { data: { secret: created.secret, webhook: presentWebhook(created.endpoint) } }
    }),

    dashboardRoute('POST /account/webhooks/rotate', async (c, { id, overlap_hours: hours }) => {
      const actor = c.get('principal').actor
      const secret = await webhooks.rotateSecret(c.get('organization').id, id, hours, actor, c.get('facts').now)
      return { data: { secret } }
    }),

    dashboardRoute('POST /account/webhooks/remove', async (c, { id }) => {
      await webhooks.removeEndpoint(c.get('organization').id, id, c.get('principal').actor, c.get('facts').now)
    }),

    dashboardRoute('POST /account/webhooks/enable', async (c, { id }) => {
      await webhooks.enableEndpoint(c.get('organization').id, id, c.get('principal').actor, c.get('facts').now)
    }),

    dashboardRoute('GET /account/webhooks/deliveries', async (c, { id, state, type }) => {
      const filter = parseDeliveryFilter(state, type)
      const deliveries = await webhookDeliveries.deliveries(c.get('organization').id, id, MAX_DELIVERIES, filter)
      return { data: deliveries.map(presentDelivery) }
    }),

    dashboardRoute('POST /account/webhooks/replay', async (c, { id, event_id: event }) => {
      await webhookDeliveries.replay(c.get('organization').id, id, event, c.get('principal').actor, c.get('facts').now)
    }),

    dashboardRoute('POST /account/webhooks/replay-range', async (c, { id, from, to, only_failed: onlyFailed }) => {
      const range = { from: Date.parse(from), to: Date.parse(to), onlyFailed }
      const actor = c.get('principal').actor
      const { now } = c.get('facts')
      return {
        data: { replayed: await webhookDeliveries.replayRange(c.get('organization').id, id, range, actor, now) },
      }
    }),

    dashboardRoute('POST /account/webhooks/test', async (c, { id }) => {
      const actor = c.get('principal').actor
      const testEventId = await webhookDeliveries.sendTest(c.get('organization').id, id, actor, c.get('facts').now)
      return { data: { event_id: testEventId } }
    }),

    dashboardRoute('POST /account/watches/remove', async (c, { id }) => {
      const endedBy = { actor: c.get('principal').actor, now: c.get('facts').now }
      if (!(await watches.end(c.get('organization').id, id, endedBy))) throw notFound('The watch')
    }),
  ]
}

function presentWebhook(endpoint: WebhookEndpoint): WebhookWire {
  return {
    id: endpoint.id,
    organization_id: endpoint.organizationId,
    url: endpoint.url,
    types: [...endpoint.types],
    created_at: isoInstant(endpoint.createdAt),
    disabled_at: isoInstantOrNull(endpoint.disabledAt),
    disabled_reason: endpoint.disabledReason,
    overlap_until: isoInstantOrNull(endpoint.overlapUntil),
  }
}

function presentDelivery(delivery: Delivery): DeliveryWire {
  return {
    event_id: delivery.id,
    payload: presentEvent(delivery),
    state: delivery.state,
    attempts: delivery.attempts,
    status: delivery.status,
    response: delivery.response,
    next_at: isoInstantOrNull(delivery.state === 'pending' ? delivery.nextAt : null),
    settled_at: isoInstantOrNull(delivery.settledAt),
  }
}
