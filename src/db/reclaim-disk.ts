import { sql } from 'kysely'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import type { Database } from './database.ts'

/** Pages of 4 KiB per step: a few milliseconds. */
const PAGES_PER_STEP = 250
/** Free pages that stay for the next rows. */
const KEPT_PAGES = 2_000

/**
 * Returns the space of deleted rows to the file system. SQLite keeps it in the file otherwise; PostgreSQL's autovacuum makes
 * it free for later rows.
 */
export async function reclaimDisk(db: Database): Promise<void> {
  if (db.admin.dialect !== 'sqlite') return
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const { rows } = await sql<{ freelist_count: number }>`pragma freelist_count`.execute(db.query)
    const free = Number(rows[0]?.freelist_count ?? 0)
    // A file of an earlier version cannot shrink: its free pages are used again.
    if (free <= KEPT_PAGES || free >= before) return
    before = free
    await db.transaction((tx) => sql`pragma incremental_vacuum(${sql.lit(PAGES_PER_STEP)})`.execute(tx))
    await yieldToEventLoop()
  }
}
