import type { Migration } from './index.ts'

export const migration: Migration = {
  name: '019-events',
  async up(db) {
    await db.schema
      .createTable('watch')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('tac', 'text', (column) => column.notNull())
      .addColumn('identifier', 'text', (column) => column.notNull())
      .addColumn('identifier_type', 'text', (column) => column.notNull())
      .addColumn('reference', 'text', (column) => column.notNull())
      .addColumn('threshold_percent', 'integer')
      .addColumn('last_cents', 'bigint')
      .addColumn('until', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    // Imports of lists find the watches of their entries by these two.
    await db.schema.createIndex('watch_by_subject').on('watch').columns(['subject', 'kind']).execute()
    await db.schema.createIndex('watch_by_tac').on('watch').column('tac').execute()
    await db.schema
      .createIndex('watch_of_organization')
      .unique()
      .on('watch')
      .columns(['organization_id', 'subject', 'kind', 'reference'])
      .execute()
    await db.schema.createIndex('watch_in_order').on('watch').columns(['organization_id', 'id']).execute()
    await db.schema
      .createTable('event')
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('ordinal', 'integer', (column) => column.notNull())
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('data', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('once', 'text')
      .addPrimaryKeyConstraint('event_key', ['revision', 'ordinal'])
      .execute()
    await db.schema
      .createIndex('event_of_organization')
      .on('event')
      .columns(['organization_id', 'revision', 'ordinal'])
      .execute()
    await db.schema.createIndex('event_once').unique().on('event').column('once').execute()
  },
}
