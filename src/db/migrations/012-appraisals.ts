import type { Migration } from './index.ts'

export const migration: Migration = {
  name: '012-appraisals',
  async up(db) {
    // The id sorts by time.
    await db.schema
      .createTable('appraisal')
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('reference', 'text', (column) => column.notNull())
      .addColumn('decision', 'text', (column) => column.notNull())
      .addColumn('device_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('answer', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('appraisal_key', ['organization_id', 'id'])
      .execute()
    for (const column of ['reference', 'decision', 'device_id']) {
      await db.schema
        .createIndex(`appraisal_by_${column}`)
        .on('appraisal')
        .columns(['organization_id', column, 'id'])
        .execute()
    }
    await db.schema
      .createTable('appraisal_total')
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('decision', 'text', (column) => column.notNull())
      .addColumn('total', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('appraisal_total_key', ['organization_id', 'decision'])
      .execute()
    await db.schema
      .createTable('appraisal_policy')
      .addColumn('organization_id', 'text', (column) => column.primaryKey())
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
