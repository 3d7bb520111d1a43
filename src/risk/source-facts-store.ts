import type { Database, Tx } from '../db/database.ts'
import { writeEvents } from '../events/event-store.ts'
import { identifierChangedEvents } from '../events/identifier-event.ts'
import { findIdentifierWatches } from '../events/watch-store.ts'
import { type SourceFacts, sourceStatus } from './source-facts.ts'

type SourceFactsRow = { readonly source: string; readonly key: string; readonly facts: SourceFacts }

/**
 * Writes facts of outside sources and, in the same transaction, an event for every watched identifier whose status changed.
 * A key is type and subject.
 */
export async function writeSourceFactsWithEvents(
  db: Database,
  tx: Tx,
  rows: readonly SourceFactsRow[],
  now: number,
  write: () => Promise<void>,
): Promise<void> {
  const toSubject = (key: string) => key.slice(key.indexOf(':') + 1)
  const subjects = [...new Set(rows.map(({ key }) => toSubject(key)))]
  const watchesBySubject = await findIdentifierWatches(db, tx, 'subject', subjects, now)
  if (watchesBySubject.size === 0) return write()
  const watchedRows = rows.filter(({ key }) => watchesBySubject.has(toSubject(key)))
  const watchedKeys = [...new Set(watchedRows.map(({ key }) => key))]
  const cachedRows = await db.bulk.findByValues(tx, 'source_cache', 'key', watchedKeys)
  const statusBefore = new Map(
    cachedRows.map((row) => [`${row.source} ${row.key}`, sourceStatus(JSON.parse(row.facts) as SourceFacts)]),
  )
  await write()
  const events = watchedRows.flatMap(({ source, key, facts }) => {
    const before = statusBefore.get(`${source} ${key}`) ?? null
    const change = { source, list: null, before, after: sourceStatus(facts) }
    return identifierChangedEvents(watchesBySubject.get(toSubject(key)) ?? [], change, now)
  })
  await writeEvents(db, tx, events)
}
