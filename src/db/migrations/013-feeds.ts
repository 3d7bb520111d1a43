import type { Migration } from './index.ts'

/** What came of each feed: when a process took its turn, how its newest run ended, and what its address said of its list. */
export const migration: Migration = {
  name: '013-feeds',
  async up(db) {
    await db.schema
      .createTable('feed')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('added_at', 'bigint', (column) => column.notNull())
      .addColumn('taken_at', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('started_at', 'bigint')
      .addColumn('finished_at', 'bigint')
      .addColumn('outcome', 'text')
      .addColumn('succeeded_at', 'bigint')
      .addColumn('failed_at', 'bigint')
      .addColumn('failure', 'text')
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('settings_hash', 'text')
      .addColumn('etag', 'text')
      .addColumn('last_modified', 'text')
      .execute()
  },
}
