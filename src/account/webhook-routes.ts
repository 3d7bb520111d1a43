import { asPerson } from '../access/actor.ts'
import { accountBodies, type DeliveryWire, type WebhookWire } from '../contract/account.ts'
import { notFound } from '../errors.ts'
import { eventId, presentEvent } from '../events/event.ts'
import { readEventTypes, readWebhookUrl, type WebhookEndpoint } from '../events/webhook.ts'
import type { Delivery } from '../events/webhook-store.ts'
import { isoInstant, isoInstantOrNull } from '../time.ts'
import type { AccountParts } from './parts.ts'
import { type AccountRoute, changes, DONE, reads } from './route.ts'

const SHOWN_DELIVERIES = 100

/** Where events of the organization are sent. Owners change it, everybody sees it. */
export function webhookRoutes({ webhooks, watches, webhookAllowPrivate }: AccountParts): AccountRoute[] {
  return [
    reads('/account/webhooks', 'member', async (c) => ({
      data: (await webhooks.endpoints(c.get('organization').id)).map(present),
    })),

    changes('/account/webhooks', 'owner', accountBodies.createWebhook, async (c, { url, types }) => {
      const wanted = { url: readWebhookUrl(url, webhookAllowPrivate), types: readEventTypes(types) }
      const { now } = c.get('facts')
      const made = await webhooks.createEndpoint(c.get('organization').id, wanted, asPerson(c.get('person')), now)
      return { data: { secret: made.secret, webhook: present(made.endpoint) } }
    }),

    changes(
      '/account/webhooks/rotate',
      'owner',
      accountBodies.rotateWebhook,
      async (c, { id, overlap_hours: hours }) => {
        const actor = asPerson(c.get('person'))
        const secret = await webhooks.rotateSecret(c.get('organization').id, id, hours, actor, c.get('facts').now)
        return { data: { secret } }
      },
    ),

    changes('/account/webhooks/remove', 'owner', accountBodies.changeWebhook, async (c, { id }) => {
      await webhooks.removeEndpoint(c.get('organization').id, id, asPerson(c.get('person')), c.get('facts').now)
      return DONE
    }),

    changes('/account/webhooks/enable', 'owner', accountBodies.changeWebhook, async (c, { id }) => {
      await webhooks.enableEndpoint(c.get('organization').id, id, asPerson(c.get('person')), c.get('facts').now)
      return DONE
    }),

    reads('/account/webhooks/deliveries', 'member', async (c) => {
      const deliveries = await webhooks.deliveries(c.get('organization').id, c.req.query('id') ?? '', SHOWN_DELIVERIES)
      return { data: deliveries.map(presentDelivery) }
    }),

    changes('/account/webhooks/replay', 'owner', accountBodies.replayDelivery, async (c, { id, event_id: event }) => {
      await webhooks.replay(c.get('organization').id, id, event, asPerson(c.get('person')), c.get('facts').now)
      return DONE
    }),

    changes('/account/watches/remove', 'member', accountBodies.endWatch, async (c, { id }) => {
      if (!(await watches.end(c.get('organization').id, id))) throw notFound('The watch')
      return DONE
    }),
  ]
}

function present({
  id,
  url,
  types,
  createdAt,
  disabledAt,
  disabledReason,
  overlapUntil,
}: WebhookEndpoint): WebhookWire {
  return {
    id,
    url,
    types: [...types],
    created_at: isoInstant(createdAt),
    disabled_at: isoInstantOrNull(disabledAt),
    disabled_reason: disabledReason,
    overlap_until: isoInstantOrNull(overlapUntil),
  }
}

function presentDelivery(delivery: Delivery): DeliveryWire {
  return {
    event_id: eventId(delivery),
    payload: presentEvent(delivery),
    state: delivery.state,
    attempts: delivery.attempts,
    status: delivery.status,
    answer: delivery.answer,
    next_at: isoInstantOrNull(delivery.state === 'pending' ? delivery.nextAt : null),
    settled_at: isoInstantOrNull(delivery.settledAt),
  }
}
