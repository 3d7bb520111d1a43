import { sql } from 'kysely'
import type { EventType } from '../contract/events.ts'
import { toColumns } from '../db/column-batch.ts'
import type { Database, TableColumns, Tx } from '../db/database.ts'
import { sortableId } from '../lib/id.ts'
import type { EventPosition, NewEvent, StoredEvent } from './event.ts'

/** Stored instead of an organization id: events for all organizations. */
const ALL_ORGANIZATIONS = ''
const ROWS_PER_STEP = 1_000

/** Without `revision`, which the change counter provides. */
const toRow = (event: NewEvent, at: number) => ({
  id: sortableId('evt', event.createdAt),
  ordinal: at + 1,
  organization_id: event.organizationId ?? ALL_ORGANIZATIONS,
  type: event.type,
  subject: event.subject,
  data: JSON.stringify(event.data),
  created_at: event.createdAt,
  dedupe_key: event.dedupeKey ?? null,
})

/** For `Database.writeBatch`. Put them last: the change counter is locked from here to the commit. */
export function eventColumns(events: readonly NewEvent[]): TableColumns {
  return { ...toColumns({ table: 'event', rows: events.map(toRow) }), changeTopic: 'events' }
}

/**
 * Writes events in the transaction of the change they report. The change counter stays locked until the commit, so positions
 * are in the order of the commits and a reader that continues from one never misses another.
 */
export async function writeEvents(
  db: Database,
  tx: Tx,
  events: readonly NewEvent[],
): Promise<readonly (EventPosition & { readonly id: string })[]> {
  if (events.length === 0) return []
  const revision = await db.announceChange(tx, 'events')
  const rows = events.map((event, at) => ({ ...toRow(event, at), revision }))
  await db.insertMany(tx, 'event', rows, { conflictColumns: ['dedupe_key'], updateColumns: [], rowsAreDistinct: true })
  return rows
}

/** The position of an event that the organization can see; undefined if there is none. */
export async function findEventPosition(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<EventPosition | undefined> {
  return tx
    .selectFrom('event')
    .select(['revision', 'ordinal'])
    .where('organization_id', 'in', [organizationId, ALL_ORGANIZATIONS])
    .where('id', '=', id)
    .executeTakeFirst()
}

type EventFilter = { readonly type?: EventType | undefined; readonly limit: number }

/** The events of an organization, with those for all, after a position. */
export async function visibleEventsAfter(
  tx: Tx,
  organizationId: string,
  position: EventPosition,
  filter: EventFilter,
): Promise<StoredEvent[]> {
  return (await visibleEventsQuery(organizationId, position, filter).execute(tx)).rows
}

/**
 * Reads both organizations separately: one condition for both would read and sort all their later events for every page.
 * Only the index `event_of_organization` has this order, so PostgreSQL uses it even with outdated statistics. Exported for the
 * test that reads its query plan.
 */
export function visibleEventsQuery(
  organizationId: string,
  { revision, ordinal }: EventPosition,
  { type, limit }: EventFilter,
) {
  const eventsOf = (organization: string) => sql`select * from (
    select id, revision, ordinal, type, subject, data, created_at as "createdAt" from event
    where (organization_id, revision, ordinal) > (${organization}, ${revision}, ${ordinal})
      and organization_id <= ${organization} ${type === undefined ? sql`` : sql`and type = ${type}`}
    order by organization_id, revision, ordinal limit ${limit}) as page`
  return sql<StoredEvent>`${eventsOf(organizationId)} union all ${eventsOf(ALL_ORGANIZATIONS)}
    order by revision, ordinal limit ${limit}`
}

export type EventStore = ReturnType<typeof eventStore>

export function eventStore(db: Database) {
  return {
    findPosition: (organizationId: string, id: string) => findEventPosition(db.query, organizationId, id),

    after: (organizationId: string, position: EventPosition, filter: EventFilter) =>
      visibleEventsAfter(db.query, organizationId, position, filter),

    /** Deletes old events in short transactions; returns how many. */
    async deleteBefore(before: number): Promise<number> {
      let deleted = 0
      for (;;) {
        const oldEvents = await db.query
          .selectFrom('event')
          .select(['revision', 'created_at'])
          .orderBy('revision')
          .orderBy('ordinal')
          .limit(ROWS_PER_STEP)
          .execute()
        const [first] = oldEvents
        const last = oldEvents.findLast((row) => row.created_at < before)
        if (!first || !last) return deleted
        // Bounded on both sides: with outdated statistics a database would otherwise scan the whole table up to the last row.
        await db.transaction((tx) =>
          tx
            .deleteFrom('event')
            .where('revision', '>=', first.revision)
            .where('revision', '<=', last.revision)
            .where('created_at', '<', before)
            .execute(),
        )
        deleted += oldEvents.length
      }
    },

    /** Writes events that belong to no other change. */
    write: (events: readonly NewEvent[]) => db.transaction((tx) => writeEvents(db, tx, events)),
  }
}
