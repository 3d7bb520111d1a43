import type { Migration } from './index.ts'

/** Number of the last batch of counts that each process wrote, so that a retried batch is not added twice. */
export const migration: Migration = {
  name: '010-usage-writers',
  async up(db) {
    await db.schema
      .createTable('usage_writer')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('batch', 'bigint', (column) => column.notNull())
      .addColumn('written_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
