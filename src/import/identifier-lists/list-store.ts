/** Identifier lists and their entries. */
import type { Actor } from '../../auth/actor.ts'
import { WHOLE_SERVICE, writeAuditEntry } from '../../auth/audit-store.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { IdentifierListTable, ListedIdentifierTable } from '../../db/schema.ts'
import { writeInSteps } from '../step-writer-service.ts'
import { findWatchedListings, type WatchedListings, writeListingsWithEvents } from './listing-event-store.ts'

export async function findList(db: Database, name: string): Promise<IdentifierListTable | undefined> {
  return db.query.selectFrom('identifier_list').selectAll().where('name', '=', name).executeTakeFirst()
}

/**
 * Adds entries, or clears them. The time of the first listing stays, and a new listing ends an earlier clearing. Watches of
 * an identifier get their events in the same transaction. Returns how many were written before `signal` aborted.
 */
async function writeEntries(
  db: Database,
  rows: readonly ListedIdentifierTable[],
  updateColumns: readonly string[],
  now: number,
  signal?: AbortSignal,
): Promise<number> {
  return writeInSteps<ListedIdentifierTable, WatchedListings>(
    db,
    rows,
    (tx, step, watchedListings) =>
      writeListingsWithEvents(db, tx, step, { watchedListings, now }, () =>
        db.insertMany(tx, 'listed_identifier', step, { conflictColumns: ['list', 'key14'], updateColumns }),
      ),
    { prepare: (step) => findWatchedListings(db, step, now), ...(signal ? { signal } : {}) },
  )
}

export const addListEntries = (
  db: Database,
  rows: readonly ListedIdentifierTable[],
  now: number,
  signal: AbortSignal,
): Promise<number> => writeEntries(db, rows, ['kind', 'status', 'reported_on', 'cleared_at', 'run_id'], now, signal)

export const clearListEntries = (
  db: Database,
  rows: readonly ListedIdentifierTable[],
  run: { readonly now: number; readonly runId: string; readonly signal?: AbortSignal },
): Promise<number> => {
  const cleared = rows.map((row) => ({ ...row, cleared_at: run.now, run_id: run.runId }))
  return writeEntries(db, cleared, ['cleared_at', 'run_id'], run.now, run.signal)
}

/** Entries that are on the list now; with a run, those it has seen. */
export async function countListEntries(db: Database, list: string, runId?: string): Promise<number> {
  const query = db.query
    .selectFrom('listed_identifier')
    .select((count) => count.fn.countAll<number>().as('entries'))
    .where('list', '=', list)
    .where('cleared_at', 'is', null)
  const { entries } = await (runId ? query.where('run_id', '=', runId) : query).executeTakeFirstOrThrow()
  return Number(entries)
}

const listedEntries = ({ query }: Database, list: string) =>
  query.selectFrom('listed_identifier').selectAll().where('list', '=', list).where('cleared_at', 'is', null)

/** Entries that the run did not see, a page at a time; clearing them removes them from the next page. */
export const readEntriesNotInRun = (db: Database, list: string, runId: string, limit: number) =>
  listedEntries(db, list).where('run_id', '<>', runId).limit(limit).execute()

export const readEntriesByKey = (db: Database, list: string, keys: readonly string[]) =>
  listedEntries(db, list).where('key14', 'in', keys).execute()

export type ListImportRecord = {
  readonly actor: Actor
  readonly now: number
  /** Results, such as how many entries were cleared. */
  readonly counts: Readonly<Record<string, number>>
}

/** Stores the list, notifies every process and writes the audit entry in one transaction. */
export async function recordListImport(
  db: Database,
  row: IdentifierListTable,
  record: ListImportRecord,
): Promise<void> {
  await db.transaction(async (tx) => {
    await db.insertMany(tx, 'identifier_list', [row], { conflictColumns: ['name'] })
    const clears: Record<string, string> = row.area === null ? {} : { clears: `${row.area}, ${row.max_age_days} days` }
    await writeAuditAndAnnounce(db, tx, 'list.imported', row, record, { entries: String(row.entries), ...clears })
  })
}

/** Entries that an interrupted import added stay and count. */
export async function recordStoppedListImport(
  db: Database,
  list: Pick<IdentifierListTable, 'name' | 'kind'>,
  record: ListImportRecord,
): Promise<void> {
  await db.transaction((tx) => writeAuditAndAnnounce(db, tx, 'list.import_stopped', list, record, {}))
}

async function writeAuditAndAnnounce(
  db: Database,
  tx: Tx,
  action: 'list.imported' | 'list.import_stopped',
  { name, kind }: Pick<IdentifierListTable, 'name' | 'kind'>,
  { actor, now, counts }: ListImportRecord,
  facts: Readonly<Record<string, string>>,
): Promise<void> {
  const countTexts = Object.entries(counts).map(([name, count]) => [name, String(count)])
  const detail = { kind, ...facts, ...Object.fromEntries(countTexts) }
  await writeAuditEntry(tx, WHOLE_SERVICE, actor, { action, subject: name, detail }, now)
  await db.announceChange(tx, 'lists')
}
