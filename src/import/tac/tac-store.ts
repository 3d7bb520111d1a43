/** TAC facts of all sources. */
import type { Database, Tx } from '../../db/database.ts'
import type { TacTable } from '../../db/schema.ts'

export async function readTacs(db: Database, source: string): Promise<TacTable[]> {
  return db.query.selectFrom('tac').selectAll().where('source', '=', source).execute()
}

/** TAC facts whose device was not in the catalogue when they were imported. */
export async function readUnlinkedTacs(db: Database): Promise<TacTable[]> {
  return db.query.selectFrom('tac').selectAll().where('device_id', 'is', null).execute()
}

export async function writeTacs(db: Database, tx: Tx, rows: readonly TacTable[]): Promise<void> {
  await db.insertMany(tx, 'tac', rows, { conflictColumns: ['tac', 'source', 'make', 'model'] })
}

/** Replaces all facts of a small source, including those with a sub-source after a colon. */
export async function replaceTacs(db: Database, tx: Tx, source: string, rows: readonly TacTable[]): Promise<void> {
  await tx
    .deleteFrom('tac')
    .where((or) => or.or([or('source', '=', source), or('source', 'like', `${source}:%`)]))
    .execute()
  await db.insertMany(tx, 'tac', rows)
}
