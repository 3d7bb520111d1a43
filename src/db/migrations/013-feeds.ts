import type { Migration } from './index.ts'

/** State of each feed: last claim, result of the last run, and the validators (ETag, Last-Modified) of its file. */
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
