import type { Migration } from './index.ts'

export const migration: Migration = {
  name: '004-repairs',
  async up(db) {
    await db.schema
      .createTable('repair_fact')
      .addColumn('level', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('repair_fact_key', ['level', 'subject', 'source'])
      .execute()
    await db.schema
      .createTable('fault_count')
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('category', 'text', (column) => column.notNull())
      .addColumn('make', 'text', (column) => column.notNull())
      .addColumn('device_id', 'text', (column) => column.notNull())
      .addColumn('fault', 'text', (column) => column.notNull())
      .addColumn('seen', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('fault_count_key', ['source', 'category', 'make', 'device_id', 'fault'])
      .execute()
  },
}
