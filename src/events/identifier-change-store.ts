import type { Database, Tx } from '../db/open.ts'
import type { ListedIdentifierTable } from '../db/schema.ts'
import type { Facts } from '../risk/facts.ts'
import type { NewEvent } from './event.ts'
import { writeEvents } from './event-store.ts'
import { factsStatus } from './facts-status.ts'
import { identifierEvent } from './identifier-change.ts'
import { type Watched, watchCounter, watchesOf } from './watch-store.ts'

const REGISTRY = 'registry'

/** Who watches some identifiers, and as of when that is known. */
export type WatchedListings = { readonly watched: Watched; readonly counter: number }

/** Looked up before a transaction holds the store's lock; the transaction sees by the counter whether it still holds. */
export async function watchedListings(
  db: Database,
  rows: readonly ListedIdentifierTable[],
  now: number,
): Promise<WatchedListings> {
  const counter = await watchCounter(db.query)
  return { watched: await watchersOf(db, db.query, rows, now), counter }
}

function watchersOf(db: Database, tx: Tx, rows: readonly ListedIdentifierTable[], now: number): Promise<Watched> {
  const by = rows[0]?.kind === 'barred_tac' ? 'tac' : 'subject'
  return watchesOf(db, tx, by, [...new Set(rows.map(({ key14 }) => key14))], now)
}

/**
 * Writes listings and tells whoever watches one of them what changed, in the same transaction. `rows` are as they will be
 * stored; no event is written for what stays as it was.
 */
export async function tellingOfListings(
  db: Database,
  tx: Tx,
  rows: readonly ListedIdentifierTable[],
  { known, now }: { readonly known: WatchedListings; readonly now: number },
  write: () => Promise<void>,
): Promise<void> {
  const isSame = known.counter === (await watchCounter(tx))
  const watched = isSame ? known.watched : await watchersOf(db, tx, rows, now)
  if (watched.size === 0) return write()
  const [first] = rows
  const latest = new Map(rows.map((row) => [row.key14, row]))
  const held = await db.lookUp(tx, 'listed_identifier', 'key14', [...watched.keys()])
  const before = new Map(
    held.flatMap((row) => (row.list === first?.list && row.cleared_at === null ? [[row.key14, row.status]] : [])),
  )
  await write()
  const events: NewEvent[] = []
  for (const [key14, watches] of watched) {
    const row = latest.get(key14)
    const after = row && row.cleared_at === null ? row.status : null
    const change = { source: REGISTRY, list: first?.list ?? null, before: before.get(key14) ?? null, after }
    for (const watch of watches) {
      const event = identifierEvent(watch, change, now)
      if (event) events.push(event)
    }
  }
  await writeEvents(db, tx, events)
}

export type SourceAnswerRow = { readonly source: string; readonly key: string; readonly facts: Facts }

/** The same for what outside sources said; their keys are the type and the subject. */
export async function tellingOfAnswers(
  db: Database,
  tx: Tx,
  answers: readonly SourceAnswerRow[],
  now: number,
  write: () => Promise<void>,
): Promise<void> {
  const subjectOf = (key: string) => key.slice(key.indexOf(':') + 1)
  const watched = await watchesOf(db, tx, 'subject', [...new Set(answers.map(({ key }) => subjectOf(key)))], now)
  if (watched.size === 0) return write()
  const asked = answers.filter(({ key }) => watched.has(subjectOf(key)))
  const held = await db.lookUp(tx, 'source_cache', 'key', [...new Set(asked.map(({ key }) => key))])
  const before = new Map(held.map((row) => [`${row.source} ${row.key}`, factsStatus(JSON.parse(row.facts) as Facts)]))
  await write()
  const events: NewEvent[] = []
  for (const { source, key, facts } of asked) {
    const change = { source, list: null, before: before.get(`${source} ${key}`) ?? null, after: factsStatus(facts) }
    for (const watch of watched.get(subjectOf(key)) ?? []) {
      const event = identifierEvent(watch, change, now)
      if (event) events.push(event)
    }
  }
  await writeEvents(db, tx, events)
}
