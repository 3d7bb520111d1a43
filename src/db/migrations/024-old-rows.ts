import type { Migration } from './index.ts'

/**
 * Indexes by age for the hourly deletion of old rows, which read whole tables, and one that finds the watches of prices among
 * a million of identifiers at every repricing.
 */
export const migration: Migration = {
  name: '024-old-rows',
  async up(db) {
    await db.schema.createIndex('usage_peak_by_day').on('usage_peak').column('day').execute()
    await db.schema.createIndex('usage_hour_by_hour').on('usage_hour').column('hour').execute()
    await db.schema.createIndex('webhook_delivery_by_age').on('webhook_delivery').column('created_at').execute()
    await db.schema.createIndex('watch_by_kind').on('watch').columns(['kind', 'id']).execute()
    await db.schema.createIndex('watch_by_end').on('watch').column('until').execute()
  },
}
