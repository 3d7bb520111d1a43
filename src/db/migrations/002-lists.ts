import type { Migration } from './index.ts'

export const migration: Migration = {
  name: '002-lists',
  async up(db) {
    await db.schema
      .createTable('identifier_list')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('entries', 'integer', (column) => column.notNull())
      .addColumn('imported_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('listed_identifier')
      .addColumn('list', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('key14', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('reported_on', 'text')
      .addColumn('listed_at', 'bigint', (column) => column.notNull())
      .addColumn('cleared_at', 'bigint')
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('listed_identifier_key', ['list', 'key14'])
      .execute()
    await db.schema.createIndex('listed_identifier_by_key').on('listed_identifier').column('key14').execute()

    await db.schema
      .createTable('import_run')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('format', 'text', (column) => column.notNull())
      .addColumn('file', 'text', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .addColumn('result', 'text', (column) => column.notNull())
      .execute()
  },
}
