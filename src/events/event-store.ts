import { sql } from 'kysely'
import type { EventType } from '../contract/events.ts'
import type { ColumnValues, Database, TableColumns, Tx } from '../db/database.ts'
import type { EventPosition, NewEvent, StoredEvent } from './event.ts'

/** Events of the whole service stand under no organization and are everybody's. */
const ALL_ORGANIZATIONS = ''
const ROWS_PER_STEP = 1_000

/** Everything but the revision, which the counter gives. */
function toColumns(events: readonly NewEvent[]): Record<string, ColumnValues> {
  return {
    ordinal: Int32Array.from(events, (_, at) => at + 1),
    organization_id: events.map(({ organizationId }) => organizationId ?? ALL_ORGANIZATIONS),
    type: events.map(({ type }) => type),
    subject: events.map(({ subject }) => subject),
    data: events.map(({ data }) => JSON.stringify(data)),
    created_at: Float64Array.from(events, ({ createdAt }) => createdAt),
    once: events.map(({ dedupeKey: once }) => once ?? null),
  }
}

/** Events as `Database.write` takes them. Put them last: whoever announces holds up others who do. */
export function eventColumns(events: readonly NewEvent[]): TableColumns {
  return { table: 'event', columns: toColumns(events), changeTopic: 'events' }
}

/**
 * Writes events in the transaction of the change they tell of. The counter's row is held until the commit: places are given
 * in the order of the commits, and who reads on from one never misses another that was written meanwhile.
 */
export async function writeEvents(db: Database, tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const revision = await db.announceChange(tx, 'events')
  const rows = events.map((event, at) => ({
    revision,
    ordinal: at + 1,
    organization_id: event.organizationId ?? ALL_ORGANIZATIONS,
    type: event.type,
    subject: event.subject,
    data: JSON.stringify(event.data),
    created_at: event.createdAt,
    once: event.dedupeKey ?? null,
  }))
  await db.insertMany(tx, 'event', rows, { conflictColumns: ['once'], updateColumns: [], rowsAreDistinct: true })
}

export type EventStore = ReturnType<typeof eventStore>

export function eventStore(db: Database) {
  return {
    /** The events of one organization and those of everybody after a place, in order. */
    async after(
      organizationId: string,
      place: EventPosition,
      { type, limit }: { readonly type?: EventType | undefined; readonly limit: number },
    ): Promise<StoredEvent[]> {
      let wanted = db.query
        .selectFrom('event')
        .select(['revision', 'ordinal', 'type', 'subject', 'data', 'created_at as createdAt'])
        .where('organization_id', 'in', [organizationId, ALL_ORGANIZATIONS])
        .where(sql<boolean>`(revision, ordinal) > (${place.revision}, ${place.ordinal})`)
      if (type !== undefined) wanted = wanted.where('type', '=', type)
      return wanted.orderBy('revision').orderBy('ordinal').limit(limit).execute()
    },

    /** Deletes old events, a few at a time; gives how many. */
    async deleteBefore(before: number): Promise<number> {
      let deleted = 0
      for (;;) {
        const old = await db.query
          .selectFrom('event')
          .select(['revision', 'created_at'])
          .orderBy('revision')
          .orderBy('ordinal')
          .limit(ROWS_PER_STEP)
          .execute()
        const [first] = old
        const last = old.findLast((row) => row.created_at < before)
        if (!first || !last) return deleted
        // With both ends: a database that still counts with those deleted before would read the whole table up to the last.
        await db.transaction((tx) =>
          tx
            .deleteFrom('event')
            .where('revision', '>=', first.revision)
            .where('revision', '<=', last.revision)
            .where('created_at', '<', before)
            .execute(),
        )
        deleted += old.length
      }
    },

    /** Writes events that stand for themselves, such as that a time has come. */
    write: (events: readonly NewEvent[]) => db.transaction((tx) => writeEvents(db, tx, events)),
  }
}
