import type { Migration } from './index.ts'

export const migration: Migration = {
  name: '005-lookups',
  async up(db) {
    // The id sorts by time, so the primary key serves paging and the deletion of old lookups.
    await db.schema
      .createTable('lookup')
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('identifier_key', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('answer', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('lookup_key', ['organization_id', 'id'])
      .execute()
    await db.schema
      .createIndex('lookup_by_identifier')
      .on('lookup')
      .columns(['organization_id', 'identifier_key', 'id'])
      .execute()
    await db.schema
      .createTable('lookup_total')
      .addColumn('organization_id', 'text', (column) => column.primaryKey())
      .addColumn('total', 'bigint', (column) => column.notNull())
      .execute()

    await db.schema
      .createTable('idempotency')
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('body_hash', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('answer', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotency_key', ['organization_id', 'key'])
      .execute()
    await db.schema.createIndex('idempotency_by_age').on('idempotency').column('created_at').execute()

    await db.schema
      .createTable('source_cache')
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('facts', 'text', (column) => column.notNull())
      .addColumn('fetched_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('source_cache_key', ['source', 'key'])
      .execute()
    await db.schema.createIndex('source_cache_by_age').on('source_cache').column('fetched_at').execute()

    await db.schema
      .createTable('tac_sighting')
      .addColumn('tac', 'text', (column) => column.primaryKey())
      .addColumn('first_seen_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
