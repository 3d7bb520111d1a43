import type { Migration } from './index.ts'

/**
 * What is deleted by its age is found by its age: without these, every hour read whole tables for it. And the watches of
 * prices are found beside a million of identifiers, whenever prices are made anew.
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
