import type { Migration } from './index.ts'

/** Two questions that were answered by reading a whole table, which nobody notices until it is large. */
export const migration: Migration = {
  name: '018-large-tables',
  async up(db) {
    await db.schema.createIndex('tac_by_source').on('tac').column('source').execute()
    await db.schema.createIndex('usage_count_by_day').on('usage_count').column('day').execute()
  },
}
