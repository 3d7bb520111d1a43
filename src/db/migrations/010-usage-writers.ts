import type { Migration } from './index.ts'

/** Which of its batches of counts each process wrote last, so that one whose answer was lost is not added again. */
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
