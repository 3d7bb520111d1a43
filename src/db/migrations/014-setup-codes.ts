import type { Migration } from './index.ts'

/** The codes that let the first owner in while the service belongs to nobody. Each start makes one; the first that is used ends them all. */
export const migration: Migration = {
  name: '014-setup-codes',
  async up(db) {
    await db.schema
      .createTable('setup_code')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
