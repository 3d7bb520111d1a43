import { type RawBuilder, sql } from 'kysely'
import { tierOrHighest } from '../auth/organization-store.ts'
import type { Database, Tx } from '../db/database.ts'
import { lateralJoin } from '../db/lateral-join.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import type { DueDelivery, ReadRequest } from './delivery-queue.ts'
import { BEFORE_FIRST_EVENT } from './event.ts'

/** Few enough that no transaction holds up other writers for more than a few milliseconds. */
export const ROWS_PER_STEP = 200

/** The longest due deliveries of an endpoint. Exported for the test that reads its query plan. */
export function dueDeliveries(db: Database, { endpointId, limit }: ReadRequest, now: number) {
  return db.query
    .selectFrom('webhook_delivery')
    .select(['endpoint_id', 'revision', 'ordinal', 'attempts', 'next_at'])
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', 'pending')
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .orderBy('revision')
    .orderBy('ordinal')
    .limit(limit)
}

/** Due deliveries of endpoints with their events, at most one of each subject. */
export async function readDueDeliveries(
  db: Database,
  requests: readonly ReadRequest[],
  now: number,
): Promise<DueDelivery[]> {
  const deliveries: DueDelivery[] = []
  for (const request of requests) {
    // Lateral: PostgreSQL does not know how few deliveries there are, and would read all events for a plain join.
    const { rows } = await sql<DueDeliveryRow>`with due as materialized ${dueDeliveries(db, request, now)}
      select endpoint_id as "endpointId", attempts, o.id, o.revision, o.ordinal, o.type, o.subject, o.data,
        o.created_at as "createdAt",
        (select tier from organization_tier where organization_id =
          (select organization_id from webhook_endpoint where webhook_endpoint.id = delivery.endpoint_id)) as tier
      from due as delivery
      ${lateralJoin(db, 'event', sql`where n.revision = delivery.revision and n.ordinal = delivery.ordinal limit 1`)}
      order by next_at, delivery.revision, delivery.ordinal`.execute(db.query)
    deliveries.push(...rows.map((row) => ({ ...row, tier: tierOrHighest(row.tier) })))
  }
  return deliveries
}

type DueDeliveryRow = Omit<DueDelivery, 'tier'> & { readonly tier: string | null }

type QueuedSubject = { readonly endpointId: string; readonly subject: string }

/**
 * The first delivery of a subject in a state. A subquery that reads one row of the index `webhook_delivery_by_subject`:
 * PostgreSQL would plan a join, or a list of subjects, as a scan of the whole queue while its statistics are outdated.
 */
const firstOfSubject = (
  column: 'revision' | 'ordinal',
  state: 'pending' | 'waiting' | 'failed',
  { endpointId, subject }: { readonly endpointId: RawBuilder<unknown>; readonly subject: RawBuilder<unknown> },
) => sql`(
  select ${sql.ref(column)} from webhook_delivery
  where endpoint_id = ${endpointId} and state = ${sql.lit(state)} and subject = ${subject}
  order by revision, ordinal limit 1)`

/** Makes the next waiting delivery of each subject due, unless another of the subject is. */
export function promoteWaiting(subjects: readonly QueuedSubject[]) {
  const values = sql.join(subjects.map(({ endpointId, subject }) => sql`(${endpointId}, ${subject})`))
  const freed = { endpointId: sql`freed.column1`, subject: sql`freed.column2` }
  return sql`update webhook_delivery set state = 'pending'
    where (endpoint_id, revision, ordinal) in (
      select column1, ${firstOfSubject('revision', 'waiting', freed)}, ${firstOfSubject('ordinal', 'waiting', freed)}
      from (values ${values}) as freed
      where ${firstOfSubject('revision', 'pending', freed)} is null)`
}

/** Which of the subjects have an undelivered event. A failed one counts: it is sent again, and first, when its endpoint is enabled. */
export async function queuedSubjects(tx: Tx, endpointId: string, subjects: readonly string[]): Promise<Set<string>> {
  if (subjects.length === 0) return new Set()
  const values = sql.join([...new Set(subjects)].map((subject) => sql`(${subject})`))
  const wanted = { endpointId: sql`${endpointId}`, subject: sql`wanted.column1` }
  const { rows } = await sql<{ subject: string }>`select column1 as subject from (values ${values}) as wanted
    where coalesce(${firstOfSubject('revision', 'pending', wanted)}, ${firstOfSubject('revision', 'waiting', wanted)},
      ${firstOfSubject('revision', 'failed', wanted)}) is not null`.execute(tx)
  return new Set(rows.map(({ subject }) => subject))
}

/**
 * Serializes changes to the queues of endpoints on PostgreSQL until the transaction ends. Without it a delivery that is queued
 * behind another, while that one is being settled, would wait forever: neither transaction sees the change of the other.
 */
export async function lockQueues(db: Database, tx: Tx, endpointIds: readonly string[]): Promise<void> {
  if (db.bulk.hasSingleWriter) return
  const ids = [...new Set(endpointIds)]
  if (ids.length === 0) return
  await sql`select id from webhook_endpoint where id in (${sql.join(ids)}) order by id for no key update`.execute(tx)
}

export async function deleteDeliveries(db: Database, endpointId: string): Promise<void> {
  await stepThroughDeliveries(db, endpointId, async (tx, isInStep) => {
    await tx.deleteFrom('webhook_delivery').where('endpoint_id', '=', endpointId).where(isInStep).execute()
  })
}

/** Makes everything undelivered due now, as if it had never been tried. */
export async function resetDeliveries(db: Database, endpointId: string, now: number): Promise<void> {
  await stepThroughDeliveries(db, endpointId, async (tx, isInStep) => {
    await tx
      .updateTable('webhook_delivery')
      .set({ state: 'pending', attempts: 0, next_at: now, settled_at: null })
      .where('endpoint_id', '=', endpointId)
      .where(isInStep)
      .where('state', 'in', ['pending', 'failed'])
      .where(({ or, eb }) => or([eb('attempts', '>', 0), eb('next_at', '>', now), eb('state', '=', 'failed')]))
      .execute()
    const waiting = await tx
      .selectFrom('webhook_delivery')
      .select(['endpoint_id as endpointId', 'subject'])
      .distinct()
      .where('endpoint_id', '=', endpointId)
      .where(isInStep)
      .where('state', '=', 'waiting')
      .execute()
    if (waiting.length > 0) await promoteWaiting(waiting).execute(tx)
  })
}

export type ReplayRange = { readonly from: number; readonly to: number; readonly onlyFailed: boolean }

/** Queues deliveries of events of a time range again, in their order per subject. Returns how many. */
export async function replayDeliveries(
  db: Database,
  endpointId: string,
  { from, to, onlyFailed }: ReplayRange,
  now: number,
): Promise<number> {
  let count = 0
  await stepThroughDeliveries(db, endpointId, async (tx, isInStep) => {
    const replayed = await tx
      .updateTable('webhook_delivery')
      .set({ state: 'waiting', attempts: 0, next_at: now, settled_at: null })
      .where('endpoint_id', '=', endpointId)
      .where(isInStep)
      .where('created_at', '>=', from)
      .where('created_at', '<', to)
      .where('state', 'in', onlyFailed ? ['failed'] : ['failed', 'delivered'])
      .returning('subject')
      .execute()
    count += replayed.length
    const subjects = [...new Set(replayed.map(({ subject }) => subject))]
    if (subjects.length > 0) await promoteWaiting(subjects.map((subject) => ({ endpointId, subject }))).execute(tx)
  })
  return count
}

/** Runs `work` in one short transaction for every few deliveries of an endpoint. */
async function stepThroughDeliveries(
  db: Database,
  endpointId: string,
  work: (tx: Tx, isInStep: ReturnType<typeof sql<boolean>>) => Promise<void>,
): Promise<void> {
  for (let after = BEFORE_FIRST_EVENT; ; ) {
    const rows = await db.query
      .selectFrom('webhook_delivery')
      .select(['revision', 'ordinal'])
      .where('endpoint_id', '=', endpointId)
      .where(sql<boolean>`(revision, ordinal) > (${after.revision}, ${after.ordinal})`)
      .orderBy('revision')
      .orderBy('ordinal')
      .limit(ROWS_PER_STEP)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    const isInStep = sql<boolean>`(revision, ordinal) > (${after.revision}, ${after.ordinal})
      and (revision, ordinal) <= (${last.revision}, ${last.ordinal})`
    await db.transaction(async (tx) => {
      await lockQueues(db, tx, [endpointId])
      await work(tx, isInStep)
    })
    after = last
    await yieldToEventLoop()
  }
}
