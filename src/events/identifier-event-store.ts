import type { Database, Tx } from '../db/database.ts'
import type { ListedIdentifierTable } from '../db/schema.ts'
import type { SourceFacts } from '../risk/source-facts.ts'
import type { NewEvent } from './event.ts'
import { writeEvents } from './event-store.ts'
import { identifierChangedEvent } from './identifier-event.ts'
import { sourceStatus } from './source-status.ts'
import { findIdentifierWatches, readWatchRevision, type WatchesBySubject } from './watch-store.ts'

const IMPORTED_LISTS_SOURCE = 'registry'

/** Who watches some identifiers, and as of when that is known. */
export type WatchedListings = { readonly watches: WatchesBySubject; readonly counter: number }

/** Looked up before a transaction holds the store's lock; the transaction sees by the counter whether it still holds. */
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
  const by = rows[0]?.kind === 'barred_tac' ? 'tac' : 'subject'
  return findIdentifierWatches(db, tx, by, [...new Set(rows.map(({ key14 }) => key14))], now)
}

/**
 * Writes listings and, in the same transaction, an event for every watched identifier whose status changed. `rows` are
 * the rows to be stored.
 */
export async function writeListingsWithEvents(
  db: Database,
  tx: Tx,
  rows: readonly ListedIdentifierTable[],
  { known, now }: { readonly known: WatchedListings; readonly now: number },
  write: () => Promise<void>,
): Promise<void> {
  const isSame = known.counter === (await readWatchRevision(tx))
  const watched = isSame ? known.watches : await findWatchers(db, tx, rows, now)
  if (watched.size === 0) return write()
  const [first] = rows
  const latest = new Map(rows.map((row) => [row.key14, row]))
  const held = await db.bulk.findByValues(tx, 'listed_identifier', 'key14', [...watched.keys()])
  const before = new Map(
    held.flatMap((row) => (row.list === first?.list && row.cleared_at === null ? [[row.key14, row.status]] : [])),
  )
  await write()
  const events: NewEvent[] = []
  for (const [key14, watches] of watched) {
    const row = latest.get(key14)
    const after = row && row.cleared_at === null ? row.status : null
    const change = {
      source: IMPORTED_LISTS_SOURCE,
      list: first?.list ?? null,
      before: before.get(key14) ?? null,
      after,
    }
    for (const watch of watches) {
      const event = identifierChangedEvent(watch, change, now)
      if (event) events.push(event)
    }
  }
  await writeEvents(db, tx, events)
}

export type SourceFactsRow = { readonly source: string; readonly key: string; readonly facts: SourceFacts }

/** The same for what outside sources said; their keys are the type and the subject. */
export async function writeSourceFactsWithEvents(
  db: Database,
  tx: Tx,
  rows: readonly SourceFactsRow[],
  now: number,
  write: () => Promise<void>,
): Promise<void> {
  const subjectOf = (key: string) => key.slice(key.indexOf(':') + 1)
  const watched = await findIdentifierWatches(
    db,
    tx,
    'subject',
    [...new Set(rows.map(({ key }) => subjectOf(key)))],
    now,
  )
  if (watched.size === 0) return write()
  const asked = rows.filter(({ key }) => watched.has(subjectOf(key)))
  const held = await db.bulk.findByValues(tx, 'source_cache', 'key', [...new Set(asked.map(({ key }) => key))])
  const before = new Map(
    held.map((row) => [`${row.source} ${row.key}`, sourceStatus(JSON.parse(row.facts) as SourceFacts)]),
  )
  await write()
  const events: NewEvent[] = []
  for (const { source, key, facts } of asked) {
    const change = { source, list: null, before: before.get(`${source} ${key}`) ?? null, after: sourceStatus(facts) }
    for (const watch of watched.get(subjectOf(key)) ?? []) {
      const event = identifierChangedEvent(watch, change, now)
      if (event) events.push(event)
    }
  }
  await writeEvents(db, tx, events)
}
