/** Identifier lists and what stands on them. */
import type { Actor } from '../../auth/actor.ts'
import { WHOLE_SERVICE, writeAuditEntry } from '../../auth/audit-store.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { IdentifierListTable, ListedIdentifierTable } from '../../db/schema.ts'
import { type WatchedListings, writeListingsWithEvents } from '../../events/identifier-event-store.ts'

export async function findList(db: Database, name: string): Promise<IdentifierListTable | undefined> {
  return db.query.selectFrom('identifier_list').selectAll().where('name', '=', name).executeTakeFirst()
}

/**
 * When it was listed first is kept; being listed again ends an earlier clearing. Whoever watches an identifier is told in the
 * same transaction.
 */
export async function writeListEntries(
  db: Database,
  tx: Tx,
  rows: readonly ListedIdentifierTable[],
  watched: WatchedListings,
  now: number,
): Promise<void> {
  await writeListingsWithEvents(db, tx, rows, { known: watched, now }, () =>
    db.insertMany(tx, 'listed_identifier', rows, {
      conflictColumns: ['list', 'key14'],
      updateColumns: ['kind', 'status', 'reported_on', 'cleared_at', 'run_id'],
    }),
  )
}

export async function clearListEntries(
  db: Database,
  tx: Tx,
  rows: readonly ListedIdentifierTable[],
  watched: WatchedListings,
  clearedAt: number,
  runId: string,
): Promise<void> {
  const cleared = rows.map((row) => ({ ...row, cleared_at: clearedAt, run_id: runId }))
  await writeListingsWithEvents(db, tx, cleared, { known: watched, now: clearedAt }, () =>
    db.insertMany(tx, 'listed_identifier', cleared, {
      conflictColumns: ['list', 'key14'],
      updateColumns: ['cleared_at', 'run_id'],
    }),
  )
}

/** Entries that stand on the list now; with a run, those it has seen. */
export async function countListEntries(db: Database, list: string, runId?: string): Promise<number> {
  const listed = db.query
    .selectFrom('listed_identifier')
    .select((count) => count.fn.countAll<number>().as('entries'))
    .where('list', '=', list)
    .where('cleared_at', 'is', null)
  const { entries } = await (runId ? listed.where('run_id', '=', runId) : listed).executeTakeFirstOrThrow()
  return Number(entries)
}

/** Entries that the run did not meet, a page at a time; clearing them takes them out of the next page. */
export async function readEntriesNotInRun(
  db: Database,
  list: string,
  runId: string,
  limit: number,
): Promise<ListedIdentifierTable[]> {
  return db.query
    .selectFrom('listed_identifier')
    .selectAll()
    .where('list', '=', list)
    .where('cleared_at', 'is', null)
    .where('run_id', '<>', runId)
    .limit(limit)
    .execute()
}

export async function readEntriesByKey(
  db: Database,
  list: string,
  keys: readonly string[],
): Promise<ListedIdentifierTable[]> {
  return db.query
    .selectFrom('listed_identifier')
    .selectAll()
    .where('list', '=', list)
    .where('cleared_at', 'is', null)
    .where('key14', 'in', keys)
    .execute()
}

export type ListImportRecord = {
  readonly actor: Actor
  readonly now: number
  /** What became of it, such as how many were cleared. */
  readonly figures: Readonly<Record<string, number>>
}

/** The list as it is from now on, told to every process and in the audit trail of all organizations, at once. */
export async function recordListImport(db: Database, row: IdentifierListTable, by: ListImportRecord): Promise<void> {
  await db.transaction(async (tx) => {
    await db.insertMany(tx, 'identifier_list', [row], { conflictColumns: ['name'] })
    const clears: Record<string, string> = row.area === null ? {} : { clears: `${row.area}, ${row.max_age_days} days` }
    await writeAuditAndAnnounce(db, tx, 'list.imported', row, by, { entries: String(row.entries), ...clears })
  })
}

/** What an import that was stopped has added stays, and counts. */
export async function recordStoppedListImport(
  db: Database,
  list: Pick<IdentifierListTable, 'name' | 'kind'>,
  by: ListImportRecord,
): Promise<void> {
  await db.transaction((tx) => writeAuditAndAnnounce(db, tx, 'list.import_stopped', list, by, {}))
}

async function writeAuditAndAnnounce(
  db: Database,
  tx: Tx,
  action: 'list.imported' | 'list.import_stopped',
  { name, kind }: Pick<IdentifierListTable, 'name' | 'kind'>,
  { actor, now, figures }: ListImportRecord,
  facts: Readonly<Record<string, string>>,
): Promise<void> {
  const counts = Object.entries(figures).map(([figure, count]) => [figure, String(count)])
  const detail = { kind, ...facts, ...Object.fromEntries(counts) }
  await writeAuditEntry(tx, WHOLE_SERVICE, actor, { action, subject: name, detail }, now)
  await db.announceChange(tx, 'lists')
}
