import type { Migration } from './index.ts'

/** Set-up codes for the first owner. Each start creates one; all are deleted once one is used. */
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
