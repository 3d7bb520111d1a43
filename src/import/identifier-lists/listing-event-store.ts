import type { Database, Tx } from '../../db/database.ts'
import type { ListedIdentifierTable } from '../../db/schema.ts'
import { writeEvents } from '../../events/event-store.ts'
import { identifierChangedEvents } from '../../events/identifier-event.ts'
import { findIdentifierWatches, readWatchRevision, type WatchesBySubject } from '../../events/watch-store.ts'
import { IMPORTED_LISTS_SOURCE } from '../../risk/sources/imported-lists-source.ts'

/** Watches of some identifiers, and the change counter at the time they were read. */
export type WatchedListings = { readonly watches: WatchesBySubject; readonly counter: number }

/** Call before the transaction, to keep its lock short; the transaction compares the counter and reads again if needed. */
export async function findWatchedListings(
  db: Database,
  rows: readonly ListedIdentifierTable[],
  now: number,
): Promise<WatchedListings> {
  const counter = await readWatchRevision(db.query)
  return { watches: await findWatchers(db, db.query, rows, now), counter }
}

function findWatchers(
  db: Database,
  tx: Tx,
  rows: readonly ListedIdentifierTable[],
  now: number,
): Promise<WatchesBySubject> {
  const column = rows[0]?.kind === 'barred_tac' ? 'tac' : 'subject'
  return findIdentifierWatches(db, tx, column, [...new Set(rows.map(({ key14 }) => key14))], now)
}

/**
 * Writes listings and, in the same transaction, an event for every watched identifier whose status changed. `rows` are
 * the rows to be stored.
 */
export async function writeListingsWithEvents(
  db: Database,
  tx: Tx,
  rows: readonly ListedIdentifierTable[],
  { watchedListings, now }: { readonly watchedListings: WatchedListings; readonly now: number },
  write: () => Promise<void>,
): Promise<void> {
  const isCurrent = watchedListings.counter === (await readWatchRevision(tx))
  const watchesBySubject = isCurrent ? watchedListings.watches : await findWatchers(db, tx, rows, now)
  if (watchesBySubject.size === 0) return write()
  const [first] = rows
  const newRows = new Map(rows.map((row) => [row.key14, row]))
  const storedRows = await db.bulk.findByValues(tx, 'listed_identifier', 'key14', [...watchesBySubject.keys()])
  const statusBefore = new Map(
    storedRows.flatMap((row) => (row.list === first?.list && row.cleared_at === null ? [[row.key14, row.status]] : [])),
  )
  await write()
  const events = [...watchesBySubject].flatMap(([key14, watches]) => {
    const row = newRows.get(key14)
    const change = {
      source: IMPORTED_LISTS_SOURCE,
      list: first?.list ?? null,
      before: statusBefore.get(key14) ?? null,
      after: row && row.cleared_at === null ? row.status : null,
    }
    return identifierChangedEvents(watches, change, now)
  })
  await writeEvents(db, tx, events)
}
