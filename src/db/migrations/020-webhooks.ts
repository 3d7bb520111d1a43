import type { Migration } from './index.ts'

export const migration: Migration = {
  name: '020-webhooks',
  async up(db) {
    await db.schema
      .createTable('webhook_endpoint')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('types', 'text', (column) => column.notNull())
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('previous_secret', 'text')
      .addColumn('previous_until', 'bigint')
      .addColumn('cursor_revision', 'bigint', (column) => column.notNull())
      .addColumn('cursor_ordinal', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('disabled_at', 'bigint')
      .addColumn('disabled_reason', 'text')
      .execute()
    await db.schema
      .createIndex('webhook_endpoint_of_organization')
      .on('webhook_endpoint')
      .columns(['organization_id', 'id'])
      .execute()
    await db.schema
      .createTable('webhook_delivery')
      .addColumn('endpoint_id', 'text', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('ordinal', 'integer', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .addColumn('status', 'integer')
      .addColumn('answer', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('settled_at', 'bigint')
      .addPrimaryKeyConstraint('webhook_delivery_key', ['endpoint_id', 'revision', 'ordinal'])
      .execute()
    await db.schema
      .createIndex('webhook_delivery_due')
      .on('webhook_delivery')
      .columns(['state', 'endpoint_id', 'next_at'])
      .execute()
    await db.schema
      .createIndex('webhook_delivery_by_subject')
      .on('webhook_delivery')
      .columns(['endpoint_id', 'state', 'subject', 'revision', 'ordinal'])
      .execute()
  },
}
