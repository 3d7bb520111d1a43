import type { Migration } from './index.ts'

/** Indexes for two queries that read a whole table. */
export const migration: Migration = {
  name: '018-large-tables',
  async up(db) {
    await db.schema.createIndex('tac_by_source').on('tac').column('source').execute()
    await db.schema.createIndex('usage_count_by_day').on('usage_count').column('day').execute()
  },
}
