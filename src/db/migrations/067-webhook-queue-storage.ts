import { sql } from 'kysely'
import type { Migration } from './index.ts'

/**
 * Every delivery is updated twice, when it is claimed and when it is settled. Free space in each page lets PostgreSQL claim
 * without new index entries, and frequent vacuums keep the head of the queue short.
 */
export const migration: Migration = {
  name: '067-webhook-queue-storage',
  async up(db, dialect) {
    if (dialect !== 'postgres') return
    await sql`alter table webhook_delivery set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02,
      autovacuum_analyze_scale_factor = 0.05)`.execute(db)
  },
}
