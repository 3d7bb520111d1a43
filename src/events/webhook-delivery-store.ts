import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../auth/actor.ts'
import { writeAuditEntry } from '../auth/audit-store.ts'
import { readOrganizationTier } from '../auth/organization-store.ts'
import { deleteRowsBelow } from '../db/batched-delete.ts'
import type { Database, Tx } from '../db/database.ts'
import type { WebhookDeliveryTable, WebhookEndpointTable } from '../db/schema.ts'
import type { Encryption } from '../lib/encryption.ts'
import { conflict, unknownId } from '../lib/errors.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { reason } from '../lib/reasons.ts'
import type { DeliveryEndpoint, DueDelivery, ReadRequest } from './delivery-queue.ts'
import {
  lockQueues,
  promoteWaiting,
  queuedSubjects,
  type ReplayRange,
  ROWS_PER_STEP,
  readDueDeliveries,
  replayDeliveries,
} from './delivery-queue-store.ts'
import type { EventPosition, StoredEvent } from './event.ts'
import { findEventPosition, visibleEventsAfter, writeEvents } from './event-store.ts'
import { tierReceives } from './webhook.ts'
import type { DeliveryResult } from './webhook-delivery-service.ts'
import { requireEndpoint } from './webhook-endpoint-store.ts'

/** A delivery as people see it. */
export type Delivery = StoredEvent &
  Pick<WebhookDeliveryTable, 'attempts' | 'status' | 'response'> & {
    readonly state: Exclude<WebhookDeliveryTable['state'], 'waiting'>
    readonly nextAt: number
    readonly settledAt: number | null
  }

export type DeliveryFilter = { readonly state?: Delivery['state'] | undefined; readonly type?: string | undefined }

export type WebhookDeliveryStore = ReturnType<typeof webhookDeliveryStore>

const SERVICE_ACTOR: Actor = { personId: null, who: 'the service' }
const DELIVERIES_PER_STEP = 500
const KEY = ['endpoint_id', 'revision', 'ordinal'] as const

/**
 * The queue of webhook deliveries. Of each endpoint and subject only the first undelivered event is `pending`, the others are
 * `waiting`: events of a subject arrive in order, and due deliveries are at the head of the index `webhook_delivery_queue`.
 * One process of all sends them.
 */
export function webhookDeliveryStore(db: Database, encryption: Pick<Encryption, 'decrypt'>) {
  return {
    /** The newest deliveries of an endpoint. */
    async deliveries(
      organizationId: string,
      id: string,
      limit: number,
      { state, type }: DeliveryFilter = {},
    ): Promise<Delivery[]> {
      await requireEndpoint(db.query, organizationId, id)
      const ofEndpoint = db.query
        .selectFrom('webhook_delivery')
        .innerJoin('event', (join) =>
          join
            .onRef('event.revision', '=', 'webhook_delivery.revision')
            .onRef('event.ordinal', '=', 'webhook_delivery.ordinal'),
        )
        .select(['event.id', 'event.revision', 'event.ordinal', 'event.type', 'event.subject', 'event.data'])
        .select(['event.created_at as createdAt', 'next_at as nextAt', 'settled_at as settledAt'])
        .select(['state', 'attempts', 'status', 'response'])
        .where('endpoint_id', '=', id)
      const newest = ofEndpoint.orderBy('webhook_delivery.revision', 'desc').orderBy('webhook_delivery.ordinal', 'desc')
      const isShown = (row: { readonly state: string; readonly type: string }) =>
        (!state || row.state === state || (state === 'pending' && row.state === 'waiting')) &&
        (!type || row.type === type)
      // No index has state and type in this order: few are read at a time, which on SQLite holds the event loop.
      const stepRows = state || type ? DELIVERIES_PER_STEP : limit
      const position = sql`(webhook_delivery.revision, webhook_delivery.ordinal)`
      const rows: Awaited<ReturnType<typeof newest.execute>> = []
      for (let last: EventPosition | undefined; ; ) {
        const step = await newest
          .$if(last !== undefined, (query) =>
            query.where(sql<boolean>`${position} < (${last?.revision}, ${last?.ordinal})`),
          )
          .limit(stepRows)
          .execute()
        rows.push(...step.filter(isShown))
        if (rows.length >= limit || step.length < stepRows) break
        last = step.at(-1)
        await yieldToEventLoop()
      }
      return rows.slice(0, limit).map((row) => ({ ...row, state: row.state === 'waiting' ? 'pending' : row.state }))
    },

    /** Sends an event again now, under its own id. */
    async replay(organizationId: string, id: string, event: string, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        const { url } = await requireEndpoint(tx, organizationId, id)
        const position = await findEventPosition(tx, organizationId, event)
        if (!position) throw unknownId('delivery', event)
        const { numUpdatedRows } = await tx
          .updateTable('webhook_delivery')
          .set({ state: 'pending', attempts: 0, next_at: now, settled_at: null })
          .where('endpoint_id', '=', id)
          .where('revision', '=', position.revision)
          .where('ordinal', '=', position.ordinal)
          .executeTakeFirst()
        if (Number(numUpdatedRows) === 0) throw unknownId('delivery', event)
        const entry = { action: 'webhook.replayed', subject: id, detail: { url } } as const
        await writeAuditEntry(tx, organizationId, actor, entry, now)
        await db.announceChange(tx, 'events')
      })
    },

    /** Sends everything of a time range again, under the ids of the events. Returns how many. */
    async replayRange(
      organizationId: string,
      id: string,
      range: ReplayRange,
      actor: Actor,
      now: number,
    ): Promise<number> {
      const { url } = await requireEndpoint(db.query, organizationId, id)
      const count = await replayDeliveries(db, id, range, now)
      await db.transaction(async (tx) => {
        const entry = { action: 'webhook.replayed', subject: id, detail: { url, events: String(count) } } as const
        await writeAuditEntry(tx, organizationId, actor, entry, now)
        await db.announceChange(tx, 'events')
      })
      return count
    },

    /** Queues a test event for this endpoint alone, whatever types it receives. Returns the id of the event. */
    async sendTest(organizationId: string, id: string, actor: Actor, now: number): Promise<string> {
      return db.transaction(async (tx) => {
        const { url, disabled_at } = await requireEndpoint(tx, organizationId, id)
        if (disabled_at !== null)
          throw conflict('webhook', 'The webhook endpoint is disabled. Enable it first.', reason('webhook_disabled'))
        const subject = `test ${id}`
        const data = { webhook_id: id, message: 'This is a test event. Nothing happened.' }
        const [event] = await writeEvents(db, tx, [
          { type: 'webhook.test', organizationId, subject, createdAt: now, data },
        ])
        if (!event) throw new Error('the test event was not written')
        await lockQueues(db, tx, [id])
        const queuedBefore = await queuedSubjects(tx, id, [subject])
        const state = queuedBefore.has(subject) ? 'waiting' : 'pending'
        const row = newDeliveryRow(id, { ...event, subject, createdAt: now }, state)
        await db.insertMany(tx, 'webhook_delivery', [row], { conflictColumns: KEY, updateColumns: [] })
        const entry = { action: 'webhook.tested', subject: id, detail: { url } } as const
        await writeAuditEntry(tx, organizationId, actor, entry, now)
        return event.id
      })
    },

    /** Queues the events that each endpoint has not seen yet. */
    async fanOut(now: number): Promise<void> {
      // Ordered, because PostgreSQL would scan all events for each endpoint if it expects many.
      const isNew = (organization: 'own' | 'all') =>
        sql<boolean>`(select revision from event where event.organization_id =
          ${organization === 'own' ? sql.ref('webhook_endpoint.organization_id') : sql.lit('')}
          and (event.revision, event.ordinal) > (cursor_revision, cursor_ordinal)
          order by revision, ordinal limit 1) is not null`
      const endpoints = await db.query
        .selectFrom('webhook_endpoint')
        .selectAll()
        .where(({ or }) => or([isNew('own'), isNew('all')]))
        .execute()
      for (const endpoint of endpoints) {
        while ((await fanOutTo(db, endpoint, now)) === ROWS_PER_STEP) await yieldToEventLoop()
        await yieldToEventLoop()
      }
    },

    /** Endpoints in use that have something due, and when the next of the others has. */
    async endpointsDue(now: number): Promise<{ readonly due: DeliveryEndpoint[]; readonly nextAt: number }> {
      const { rows } = await pendingEndpointsQuery().execute(db.query)
      const due = rows.filter(({ next_at }) => next_at <= now).map(toDeliveryEndpoint)
      const later = rows.flatMap(({ next_at }) => (next_at > now ? [next_at] : []))
      return { due, nextAt: Math.min(...later) }
    },

    /** The longest due deliveries of endpoints, at most one of each subject. */
    due: (requests: readonly ReadRequest[], now: number): Promise<DueDelivery[]> =>
      readDueDeliveries(db, requests, now),

    /**
     * Stores the results of calls, except of deliveries that have a later one: a process that lost the leader lock may still
     * wait for a response. On SQLite the writer thread does it, so that the event loop does not wait for the disk.
     */
    async settle(results: readonly DeliveryResult[], now: number): Promise<void> {
      const rows = results.map((result) => toSettledRow(result, now))
      const delivered = results.flatMap(({ outcome, delivery }) => (outcome.isAccepted ? [delivery] : []))
      const updateColumns = ['state', 'attempts', 'next_at', 'status', 'response', 'settled_at']
      const onlyIf = { column: 'state', value: 'pending' }
      const options = { conflictColumns: KEY, updateColumns, onlyIfNewerBy: 'attempts', onlyIf }
      if (db.bulk.hasSingleWriter) {
        const promote = delivered.length === 0 ? [] : [promoteWaiting(delivered).compile(db.query)]
        await db.bulk.writeBatch([{ table: 'webhook_delivery', rows, options }], promote)
        return
      }
      await db.transaction(async (tx) => {
        const endpointIds = delivered.map(({ endpointId }) => endpointId)
        await lockQueues(db, tx, endpointIds)
        await db.insertMany(tx, 'webhook_delivery', rows, options)
        if (delivered.length > 0) await promoteWaiting(delivered).execute(tx)
      })
    },

    /** Returns false if the endpoint was removed or disabled meanwhile. */
    disableEndpoint: (id: string, reason: string, now: number): Promise<boolean> =>
      db.transaction((tx) => disableEndpoint(db, tx, id, reason, now)),

    decryptSecrets: ({ id, secret, previousSecret, previousUntil }: DeliveryEndpoint) => ({
      current: encryption.decrypt(secret, id),
      previous: previousSecret === null ? null : encryption.decrypt(previousSecret, id),
      previousUntil,
    }),

    async deleteDeliveriesBefore(before: number): Promise<void> {
      await deleteRowsBelow(db, 'webhook_delivery', 'created_at', before)
    },
  }
}

/**
 * Steps from endpoint to endpoint through the index, so that the cost depends on the number of endpoints with pending
 * deliveries, not on the number of deliveries. Every step is ordered by that index, because PostgreSQL would otherwise scan
 * the table in each. Exported for the test that reads its query plan.
 */
export function pendingEndpointsQuery() {
  const nextEndpoint = (condition: RawBuilder<unknown>) => sql`(
    select endpoint_id from webhook_delivery where state = 'pending' and ${condition}
    order by endpoint_id, next_at, revision, ordinal limit 1)`
  return sql<WebhookEndpointTable & { readonly next_at: number }>`
    with recursive queue(id) as (
      select ${nextEndpoint(sql`endpoint_id > ''`)}
      union all
      select ${nextEndpoint(sql`endpoint_id > queue.id`)} from queue where queue.id is not null
    )
    select webhook_endpoint.*, (
      select next_at from webhook_delivery
      where state = 'pending' and endpoint_id = queue.id
      order by next_at, revision, ordinal limit 1) as next_at
    from queue join webhook_endpoint on webhook_endpoint.id = queue.id
    where disabled_at is null`
}

function toDeliveryEndpoint(row: WebhookEndpointTable): DeliveryEndpoint {
  return {
    id: row.id,
    organizationId: row.organization_id,
    url: row.url,
    secret: row.secret,
    previousSecret: row.previous_secret,
    previousUntil: row.previous_until,
  }
}

function toSettledRow(
  { delivery, outcome, attempts, nextAttemptAt }: DeliveryResult,
  now: number,
): WebhookDeliveryTable {
  const state = outcome.isAccepted ? 'delivered' : nextAttemptAt === null ? 'failed' : 'pending'
  return {
    endpoint_id: delivery.endpointId,
    revision: delivery.revision,
    ordinal: delivery.ordinal,
    subject: delivery.subject,
    state,
    attempts,
    next_at: nextAttemptAt ?? now,
    status: outcome.status,
    response: outcome.responseText,
    created_at: delivery.createdAt,
    settled_at: state === 'pending' ? null : now,
  }
}

async function disableEndpoint(db: Database, tx: Tx, id: string, reason: string, now: number): Promise<boolean> {
  const endpoint = await tx
    .updateTable('webhook_endpoint')
    .set({ disabled_at: now, disabled_reason: reason })
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .returning(['organization_id as organizationId', 'url'])
    .executeTakeFirst()
  if (!endpoint) return false
  const { organizationId, url } = endpoint
  const entry = { action: 'webhook.disabled', subject: id, detail: { url, reason } } as const
  await writeAuditEntry(tx, organizationId, SERVICE_ACTOR, entry, now)
  const data = { webhook_id: id, url, reason }
  await writeEvents(db, tx, [
    { type: 'webhook.disabled', organizationId, subject: `webhook ${id}`, createdAt: now, data },
  ])
  return true
}

/** Returns how many events were read; both the deliveries and the cursor are written in one transaction. */
async function fanOutTo(
  db: Database,
  { id, organization_id, types }: WebhookEndpointTable,
  now: number,
): Promise<number> {
  return db.transaction(async (tx) => {
    await lockQueues(db, tx, [id])
    const cursor = await tx
      .selectFrom('webhook_endpoint')
      .select(['cursor_revision', 'cursor_ordinal'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!cursor) return 0
    const position = { revision: cursor.cursor_revision, ordinal: cursor.cursor_ordinal }
    const events = await visibleEventsAfter(tx, organization_id, position, { limit: ROWS_PER_STEP })
    const last: EventPosition | undefined = events.at(-1)
    if (!last) return 0
    const tier = await readOrganizationTier(tx, organization_id)
    const isSelected = (type: string) => types === '' || types.split(' ').includes(type)
    // A test event is queued with its creation, for one endpoint.
    const matchingEvents = events.filter(
      ({ type }) => type !== 'webhook.test' && isSelected(type) && tierReceives(tier, type),
    )
    const subjects = matchingEvents.map(({ subject }) => subject)
    const queuedBefore = await queuedSubjects(tx, id, subjects)
    const rows = matchingEvents.map((event) => {
      const isWaiting = queuedBefore.has(event.subject)
      queuedBefore.add(event.subject)
      // The clock of the machine that wrote the event may be ahead of this one.
      const dueAt = Math.min(event.createdAt, now)
      return { ...newDeliveryRow(id, event, isWaiting ? 'waiting' : 'pending'), next_at: dueAt }
    })
    await db.insertMany(tx, 'webhook_delivery', rows, { conflictColumns: KEY, updateColumns: [] })
    await tx
      .updateTable('webhook_endpoint')
      .set({ cursor_revision: last.revision, cursor_ordinal: last.ordinal })
      .where('id', '=', id)
      .execute()
    return events.length
  })
}

const newDeliveryRow = (
  endpointId: string,
  event: Pick<StoredEvent, 'revision' | 'ordinal' | 'subject' | 'createdAt'>,
  state: 'waiting' | 'pending',
): WebhookDeliveryTable => ({
  endpoint_id: endpointId,
  revision: event.revision,
  ordinal: event.ordinal,
  subject: event.subject,
  state,
  attempts: 0,
  next_at: event.createdAt,
  status: null,
  response: '',
  created_at: event.createdAt,
  settled_at: null,
})
