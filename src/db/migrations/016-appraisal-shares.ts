import type { Migration } from './index.ts'

export const migration: Migration = {
  name: '016-appraisal-shares',
  async up(db) {
    // Only the hash of a code is stored, so that a copy of the database opens no receipt.
    await db.schema
      .createTable('appraisal_share')
      .addColumn('token_hash', 'text', (column) => column.primaryKey())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('appraisal_id', 'text', (column) => column.notNull())
      .addColumn('shown', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('withdrawn_at', 'bigint')
      .execute()
    await db.schema
      .createIndex('appraisal_share_by_appraisal')
      .on('appraisal_share')
      .columns(['organization_id', 'appraisal_id', 'id'])
      .execute()
  },
}
