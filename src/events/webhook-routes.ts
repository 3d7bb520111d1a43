import { DONE } from '../contract/management-shared.ts'
import {
  changeWebhook,
  createWebhook,
  getWebhook,
  listWebhookDeliveries,
  listWebhooks,
  removeWebhook,
  resendWebhookEvents,
  rotateWebhookSecret,
  testWebhook,
} from '../contract/management-webhooks.ts'
import type { DeliveryWire, WebhookWire } from '../contract/webhooks.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { isoInstant, isoInstantOrNull } from '../lib/time.ts'
import { presentEvent } from './event.ts'
import { parseWebhookUrl, type WebhookEndpoint } from './webhook.ts'
import type { Delivery, WebhookDeliveryStore } from './webhook-delivery-store.ts'
import type { WebhookEndpointStore } from './webhook-endpoint-store.ts'

const MAX_DELIVERIES = 100

export type WebhookRouteOptions = {
  readonly webhooks: WebhookEndpointStore
  readonly deliveries: WebhookDeliveryStore
  /** Whether endpoints may have private addresses and plain http. */
  readonly allowPrivate: boolean
}

export function webhookRoutes({ webhooks, deliveries, allowPrivate }: WebhookRouteOptions): ApiRoute[] {
  return [
    route(listWebhooks, async (c) => ({
      data: (await webhooks.endpoints(c.get('principal').organizationId)).map(presentWebhook),
    })),

    route(createWebhook, async (c) => {
      const { organizationId, actor } = c.get('principal')
      const { url, types = [] } = c.get('body')
      const newEndpoint = { url: parseWebhookUrl(url, allowPrivate), types }
      const created = await webhooks.createEndpoint(organizationId, newEndpoint, actor, c.get('facts').now)
      return { data: { secret: created.secret, webhook: presentWebhook(created.endpoint) } }
    }),

    route(getWebhook, async (c) => ({
      data: presentWebhook(await webhooks.endpoint(c.get('principal').organizationId, c.get('params').id)),
    })),

    route(changeWebhook, async (c) => {
      const { organizationId, actor } = c.get('principal')
      const { url, types, enabled } = c.get('body')
      const change = { url: url === undefined ? undefined : parseWebhookUrl(url, allowPrivate), types, enabled }
      const { id } = c.get('params')
      return {
        data: presentWebhook(await webhooks.changeEndpoint(organizationId, id, change, actor, c.get('facts').now)),
      }
    }),

    route(rotateWebhookSecret, async (c) => {
      const { organizationId, actor } = c.get('principal')
      const { id } = c.get('params')
      const hours = c.get('body').overlap_hours
      const secret = await webhooks.rotateSecret(organizationId, id, hours, actor, c.get('facts').now)
      return { data: { secret, webhook: presentWebhook(await webhooks.endpoint(organizationId, id)) } }
    }),

    route(removeWebhook, async (c) => {
      const { organizationId, actor } = c.get('principal')
      await webhooks.removeEndpoint(organizationId, c.get('params').id, actor, c.get('facts').now)
      return { data: DONE }
    }),

    route(listWebhookDeliveries, async (c) => {
      const { state, type } = c.get('query')
      const { organizationId } = c.get('principal')
      const filter = { state, type }
      const newest = await deliveries.deliveries(organizationId, c.get('params').id, MAX_DELIVERIES, filter)
      return { data: newest.map(presentDelivery) }
    }),

    route(testWebhook, async (c) => {
      const { organizationId, actor } = c.get('principal')
      const eventId = await deliveries.sendTest(organizationId, c.get('params').id, actor, c.get('facts').now)
      return { data: { event_id: eventId } }
    }),

    route(resendWebhookEvents, async (c) => {
      const { organizationId, actor } = c.get('principal')
      const { id } = c.get('params')
      const { now } = c.get('facts')
      const { event_id: eventId, from = '', to = '', only_failed: onlyFailed = false } = c.get('body')
      if (eventId !== undefined) {
        await deliveries.replay(organizationId, id, eventId, actor, now)
        return { data: { sent: 1 } }
      }
      const range = { from: Date.parse(from), to: Date.parse(to), onlyFailed }
      return { data: { sent: await deliveries.replayRange(organizationId, id, range, actor, now) } }
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
