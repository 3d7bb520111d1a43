/** Identifier lists and what stands on them. */
import type { Actor } from '../../access/actor.ts'
import { WHOLE_SERVICE, writeAuditEntry } from '../../access/audit-store.ts'
import type { Database, Tx } from '../../db/open.ts'
import type { IdentifierListTable, ListedIdentifierTable } from '../../db/schema.ts'
import { tellingOfListings, type WatchedListings } from '../../events/identifier-change-store.ts'

export async function findList(db: Database, name: string): Promise<IdentifierListTable | undefined> {
  return db.query.selectFrom('identifier_list').selectAll().where('name', '=', name).executeTakeFirst()
}

/**
 * When it was listed first is kept; being listed again ends an earlier clearing. Whoever watches an identifier is told in the
 * same transaction.
 */
export async function writeListings(
  db: Database,
  tx: Tx,
  rows: readonly ListedIdentifierTable[],
  known: WatchedListings,
  now: number,
): Promise<void> {
  await tellingOfListings(db, tx, rows, { known, now }, () =>
    db.insertMany(tx, 'listed_identifier', rows, {
      conflict: ['list', 'key14'],
      update: ['kind', 'status', 'reported_on', 'cleared_at', 'run_id'],
    }),
  )
}

export async function clearListings(
  db: Database,
  tx: Tx,
  rows: readonly ListedIdentifierTable[],
  known: WatchedListings,
  clearedAt: number,
  runId: string,
): Promise<void> {
  const cleared = rows.map((row) => ({ ...row, cleared_at: clearedAt, run_id: runId }))
  await tellingOfListings(db, tx, cleared, { known, now: clearedAt }, () =>
    db.insertMany(tx, 'listed_identifier', cleared, {
      conflict: ['list', 'key14'],
      update: ['cleared_at', 'run_id'],
    }),
  )
}

/** Entries that stand on the list now; with a run, those it has seen. */
export async function countListed(db: Database, list: string, runId?: string): Promise<number> {
  const listed = db.query
    .selectFrom('listed_identifier')
    .select((count) => count.fn.countAll<number>().as('entries'))
    .where('list', '=', list)
    .where('cleared_at', 'is', null)
  const { entries } = await (runId ? listed.where('run_id', '=', runId) : listed).executeTakeFirstOrThrow()
  return Number(entries)
}

/** Entries that the run did not meet, a page at a time; clearing them takes them out of the next page. */
export async function readUnseen(
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

export async function readListedKeys(
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

export type ListImport = {
  readonly actor: Actor
  readonly now: number
  /** What became of it, such as how many were cleared. */
  readonly figures: Readonly<Record<string, number>>
}

/** The list as it is from now on, told to every process and in the audit trail of all organizations, at once. */
export async function finishList(db: Database, row: IdentifierListTable, by: ListImport): Promise<void> {
  await db.transaction(async (tx) => {
    await db.insertMany(tx, 'identifier_list', [row], { conflict: ['name'] })
    const clears: Record<string, string> = row.area === null ? {} : { clears: `${row.area}, ${row.max_age_days} days` }
    await tellOfList(db, tx, 'list.imported', row, by, { entries: String(row.entries), ...clears })
  })
}

/** What an import that was stopped has added stays, and counts. */
export async function leaveList(
  db: Database,
  list: Pick<IdentifierListTable, 'name' | 'kind'>,
  by: ListImport,
): Promise<void> {
  await db.transaction((tx) => tellOfList(db, tx, 'list.import_stopped', list, by, {}))
}

async function tellOfList(
  db: Database,
  tx: Tx,
  action: 'list.imported' | 'list.import_stopped',
  { name, kind }: Pick<IdentifierListTable, 'name' | 'kind'>,
  { actor, now, figures }: ListImport,
  facts: Readonly<Record<string, string>>,
): Promise<void> {
  const counts = Object.entries(figures).map(([figure, count]) => [figure, String(count)])
  const detail = { kind, ...facts, ...Object.fromEntries(counts) }
  await writeAuditEntry(tx, WHOLE_SERVICE, actor, { action, subject: name, detail }, now)
  await db.announce(tx, 'lists')
}
