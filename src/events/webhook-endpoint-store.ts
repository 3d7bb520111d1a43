import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Actor } from '../auth/actor.ts'
import { type AuditEntry, writeAuditEntry } from '../auth/audit-store.ts'
import { requireOrganization } from '../auth/organization-store.ts'
import type { EventType } from '../contract/events.ts'
import { deleteRowsBelow } from '../db/batched-delete.ts'
import type { Database, Tx } from '../db/database.ts'
import type { WebhookDeliveryTable, WebhookEndpointTable } from '../db/schema.ts'
import { conflict, unknownId } from '../lib/errors.ts'
import { sortableId } from '../lib/id.ts'
import { HOUR_MS } from '../lib/time.ts'
import { type EventPosition, parseEventId, type StoredEvent } from './event.ts'
import { writeEvents } from './event-store.ts'
import { parseEventTypes, type WebhookEndpoint, type WebhookSecrets } from './webhook.ts'
import type { DeliveryResult } from './webhook-delivery-service.ts'

export type DueDelivery = StoredEvent & {
  readonly endpointId: string
  readonly organizationId: string
  readonly url: string
  readonly secrets: WebhookSecrets
  readonly attempts: number
}

/** A delivery as people see it. */
export type Delivery = StoredEvent &
  Pick<WebhookDeliveryTable, 'state' | 'attempts' | 'status' | 'answer'> & {
    readonly nextAt: number
    readonly settledAt: number | null
  }

export type WebhookStore = ReturnType<typeof webhookStore>

const MAX_ENDPOINTS = 20
const FAN_OUT_BATCH = 200
/** The service itself, where it takes an endpoint out of use. */
const SERVICE_ACTOR: Actor = { personId: null, who: 'the service' }

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`

/** Endpoints of organizations, and what is sent to them. Every change takes the organization first. */
export function webhookStore(db: Database) {
  const audited = (tx: Tx, organizationId: string, actor: Actor, entry: AuditEntry, now: number) =>
    writeAuditEntry(tx, organizationId, actor, entry, now)

  /** Changes one endpoint and says so, in one transaction; whoever delivers looks at it at once. */
  async function change(
    organizationId: string,
    id: string,
    action: AuditEntry['action'],
    actor: Actor,
    now: number,
    work: (tx: Tx, endpoint: WebhookEndpointTable) => Promise<void>,
  ): Promise<void> {
    await db.transaction(async (tx) => {
      const endpoint = await requireEndpoint(tx, organizationId, id)
      await work(tx, endpoint)
      await audited(tx, organizationId, actor, { action, subject: id, detail: { url: endpoint.url } }, now)
      await db.announceChange(tx, 'events')
    })
  }

  return {
    /** The secret is returned this once. Events from now on are sent. */
    async createEndpoint(
      organizationId: string,
      { url, types }: { readonly url: string; readonly types: readonly EventType[] },
      actor: Actor,
      now: number,
    ): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
      return db.transaction(async (tx) => {
        await requireOrganization(tx, organizationId)
        const mine = await tx
          .selectFrom('webhook_endpoint')
          .select('id')
          .where('organization_id', '=', organizationId)
          .execute()
        if (mine.length >= MAX_ENDPOINTS) {
          throw conflict('webhook', `An organization has ${MAX_ENDPOINTS} endpoints at most; remove one first.`)
        }
        const row: WebhookEndpointTable = {
          id: sortableId('whk', now),
          organization_id: organizationId,
          url,
          types: types.join(' '),
          secret: newSecret(),
          previous_secret: null,
          previous_until: null,
          cursor_revision: await db.announceChange(tx, 'events'),
          cursor_ordinal: 0,
          created_at: now,
          disabled_at: null,
          disabled_reason: null,
        }
        await tx.insertInto('webhook_endpoint').values(row).execute()
        await audited(tx, organizationId, actor, { action: 'webhook.created', subject: row.id, detail: { url } }, now)
        return { endpoint: toEndpoint(row), secret: row.secret }
      })
    },

    async endpoints(organizationId: string): Promise<WebhookEndpoint[]> {
      const rows = await db.query
        .selectFrom('webhook_endpoint')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('id')
        .execute()
      return rows.map(toEndpoint)
    },

    /** Whose endpoint it is, for an operator who knows nothing but its id. */
    async organizationOfEndpoint(id: string): Promise<string> {
      const row = await db.query
        .selectFrom('webhook_endpoint')
        .select('organization_id')
        .where('id', '=', id)
        .executeTakeFirst()
      if (!row) throw unknownId('webhook', id)
      return row.organization_id
    },

    /** A new secret; deliveries are signed with the old one too for the overlap. */
    async rotateSecret(
      organizationId: string,
      id: string,
      overlapHours: number,
      actor: Actor,
      now: number,
    ): Promise<string> {
      const secret = newSecret()
      await change(organizationId, id, 'webhook.rotated', actor, now, async (tx, endpoint) => {
        const overlap =
          overlapHours === 0
            ? { previous_secret: null, previous_until: null }
            : { previous_secret: endpoint.secret, previous_until: now + overlapHours * HOUR_MS }
        await tx
          .updateTable('webhook_endpoint')
          .set({ secret, ...overlap })
          .where('id', '=', id)
          .execute()
      })
      return secret
    },

    async removeEndpoint(organizationId: string, id: string, actor: Actor, now: number): Promise<void> {
      await change(organizationId, id, 'webhook.removed', actor, now, async (tx) => {
        await tx.deleteFrom('webhook_delivery').where('endpoint_id', '=', id).execute()
        await tx.deleteFrom('webhook_endpoint').where('id', '=', id).execute()
      })
    },

    /** What was not delivered meanwhile is sent now, as far as it is still kept. */
    async enableEndpoint(organizationId: string, id: string, actor: Actor, now: number): Promise<void> {
      await change(organizationId, id, 'webhook.enabled', actor, now, async (tx) => {
        const again = { state: 'pending' as const, attempts: 0, next_at: now, settled_at: null }
        await tx
          .updateTable('webhook_delivery')
          .set(again)
          .where('endpoint_id', '=', id)
          .where('state', '<>', 'delivered')
          .execute()
        await tx
          .updateTable('webhook_endpoint')
          .set({ disabled_at: null, disabled_reason: null })
          .where('id', '=', id)
          .execute()
      })
    },

    /** The newest deliveries of an endpoint. */
    async deliveries(organizationId: string, id: string, limit: number): Promise<Delivery[]> {
      await requireEndpoint(db.query, organizationId, id)
      const rows = await deliveriesWithEvents(db.query)
        .select(['state', 'attempts', 'status', 'answer', 'next_at as nextAt', 'settled_at as settledAt'])
        .where('endpoint_id', '=', id)
        .orderBy('webhook_delivery.revision', 'desc')
        .orderBy('webhook_delivery.ordinal', 'desc')
        .limit(limit)
        .execute()
      return rows
    },

    /** Sends an event again, under its own id. */
    async replay(organizationId: string, id: string, event: string, actor: Actor, now: number): Promise<void> {
      const place = parseEventId(event)
      if (!place) throw unknownId('delivery', event)
      await change(organizationId, id, 'webhook.replayed', actor, now, async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('webhook_delivery')
          .set({ state: 'pending', attempts: 0, next_at: now, settled_at: null })
          .where('endpoint_id', '=', id)
          .where('revision', '=', place.revision)
          .where('ordinal', '=', place.ordinal)
          .executeTakeFirst()
        if (Number(numUpdatedRows) === 0) throw unknownId('delivery', event)
      })
    },

    /** Makes deliveries of the events that each endpoint has not seen; both are written together. */
    async fanOut(): Promise<void> {
      const endpoints = await db.query.selectFrom('webhook_endpoint').selectAll().execute()
      for (const endpoint of endpoints) while ((await fanOutTo(db, endpoint)) === FAN_OUT_BATCH);
    },

    /** Endpoints in use that something is due for. */
    async endpointsDue(now: number): Promise<string[]> {
      const rows = await db.query
        .selectFrom('webhook_delivery')
        .innerJoin('webhook_endpoint', 'webhook_endpoint.id', 'endpoint_id')
        .select('endpoint_id')
        .distinct()
        .where('state', '=', 'pending')
        .where('next_at', '<=', now)
        .where('disabled_at', 'is', null)
        .execute()
      return rows.map(({ endpoint_id }) => endpoint_id)
    },

    /** What is due for an endpoint, the first of each subject: those behind it wait until it is taken. */
    async due(endpointId: string, now: number, limit: number): Promise<DueDelivery[]> {
      const rows = await deliveriesWithEvents(db.query)
        .innerJoin('webhook_endpoint', 'webhook_endpoint.id', 'endpoint_id')
        .select([
          'endpoint_id as endpointId',
          'webhook_endpoint.organization_id as organizationId',
          'url',
          'secret as current',
          'previous_secret as previous',
          'previous_until as previousUntil',
          'attempts',
        ])
        .where('endpoint_id', '=', endpointId)
        .where('state', '=', 'pending')
        .where('next_at', '<=', now)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('webhook_delivery as earlier')
                .select('earlier.revision')
                .where('earlier.endpoint_id', '=', endpointId)
                .where('earlier.state', '=', 'pending')
                .whereRef('earlier.subject', '=', 'webhook_delivery.subject')
                .where(
                  sql<boolean>`(earlier.revision, earlier.ordinal) < (webhook_delivery.revision, webhook_delivery.ordinal)`,
                ),
            ),
          ),
        )
        .orderBy('webhook_delivery.revision')
        .orderBy('webhook_delivery.ordinal')
        .limit(limit)
        .execute()
      return rows.map(({ current, previous, previousUntil, ...row }) => ({
        ...row,
        secrets: { current, previous, previousUntil },
      }))
    },

    /** Keeps what came of a call. Gives the reason where the endpoint was taken out of use for it. */
    async settle(
      delivery: DueDelivery,
      { outcome, attempts, nextAttemptAt: nextAt, disableReason: disables }: DeliveryResult,
      now: number,
    ): Promise<string | null> {
      const { endpointId, organizationId, revision, ordinal, url } = delivery
      const state = outcome.isAccepted
        ? ('delivered' as const)
        : nextAt === null
          ? ('failed' as const)
          : ('pending' as const)
      return db.transaction(async (tx) => {
        await tx
          .updateTable('webhook_delivery')
          .set({
            state,
            attempts,
            next_at: nextAt ?? now,
            status: outcome.status,
            answer: outcome.responseText,
            settled_at: state === 'pending' ? null : now,
          })
          .where('endpoint_id', '=', endpointId)
          .where('revision', '=', revision)
          .where('ordinal', '=', ordinal)
          .execute()
        if (disables === null) return null
        await tx
          .updateTable('webhook_endpoint')
          .set({ disabled_at: now, disabled_reason: disables })
          .where('id', '=', endpointId)
          .execute()
        await audited(
          tx,
          organizationId,
          SERVICE_ACTOR,
          { action: 'webhook.disabled', subject: endpointId, detail: { url, reason: disables } },
          now,
        )
        const data = { webhook_id: endpointId, url, reason: disables }
        await writeEvents(db, tx, [
          { type: 'webhook.disabled', organizationId, subject: `webhook ${endpointId}`, createdAt: now, data },
        ])
        return disables
      })
    },

    async deleteDeliveriesBefore(before: number): Promise<void> {
      await deleteRowsBelow(db, 'webhook_delivery', 'created_at', before)
    },
  }
}

const deliveriesWithEvents = (query: Tx) =>
  query
    .selectFrom('webhook_delivery')
    .innerJoin('event', (join) =>
      join
        .onRef('event.revision', '=', 'webhook_delivery.revision')
        .onRef('event.ordinal', '=', 'webhook_delivery.ordinal'),
    )
    .select([
      'event.revision as revision',
      'event.ordinal as ordinal',
      'event.type as type',
      'event.subject as subject',
      'event.data as data',
      'event.created_at as createdAt',
    ])

async function fanOutTo(db: Database, endpoint: WebhookEndpointTable): Promise<number> {
  const { id, organization_id: organizationId, types } = endpoint
  return db.transaction(async (tx) => {
    const current = await tx
      .selectFrom('webhook_endpoint')
      .select(['cursor_revision', 'cursor_ordinal', 'disabled_at'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!current) return 0
    const events = await tx
      .selectFrom('event')
      .select(['revision', 'ordinal', 'type', 'subject', 'created_at'])
      .where('organization_id', 'in', [organizationId, ''])
      .where(sql<boolean>`(revision, ordinal) > (${current.cursor_revision}, ${current.cursor_ordinal})`)
      .orderBy('revision')
      .orderBy('ordinal')
      .limit(FAN_OUT_BATCH)
      .execute()
    const last: EventPosition | undefined = events.at(-1)
    if (!last) return 0
    const wanted = events.filter(({ type }) => types === '' || types.split(' ').includes(type))
    const rows = wanted.map((event) => ({
      endpoint_id: id,
      revision: event.revision,
      ordinal: event.ordinal,
      subject: event.subject,
      state: 'pending' as const,
      attempts: 0,
      next_at: event.created_at,
      status: null,
      answer: '',
      created_at: event.created_at,
      settled_at: null,
    }))
    await db.insertMany(tx, 'webhook_delivery', rows, {
      conflictColumns: ['endpoint_id', 'revision', 'ordinal'],
      updateColumns: [],
    })
    const cursor = { cursor_revision: last.revision, cursor_ordinal: last.ordinal }
    await tx.updateTable('webhook_endpoint').set(cursor).where('id', '=', id).execute()
    return events.length
  })
}

/** Another organization's endpoint is not found: that it exists is none of the caller's business. */
async function requireEndpoint(tx: Tx, organizationId: string, id: string): Promise<WebhookEndpointTable> {
  const found = await tx
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw unknownId('webhook', id)
  return found
}

function toEndpoint(row: WebhookEndpointTable): WebhookEndpoint {
  return {
    id: row.id,
    organizationId: row.organization_id,
    url: row.url,
    types: row.types === '' ? [] : parseEventTypes(row.types.split(' ')),
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason,
    overlapUntil: row.previous_until,
  }
}
