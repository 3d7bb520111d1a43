import type { Migration } from './index.ts'

/** Requests by hour and latency class, and the single requests of the last days. */
export const migration: Migration = {
  name: '022-request-log',
  async up(db) {
    await db.schema
      .createTable('usage_hour')
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('hour', 'bigint', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('route', 'text', (column) => column.notNull())
      .addColumn('status', 'integer', (column) => column.notNull())
      .addColumn('latency', 'integer', (column) => column.notNull())
      .addColumn('count', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_hour_key', ['organization_id', 'hour', 'key_id', 'route', 'status', 'latency'])
      .execute()
    await db.schema
      .createTable('request_log')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('method', 'text', (column) => column.notNull())
      .addColumn('route', 'text', (column) => column.notNull())
      .addColumn('status', 'integer', (column) => column.notNull())
      .addColumn('us', 'integer', (column) => column.notNull())
      .addColumn('request_id', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('request_log_by_organization')
      .on('request_log')
      .columns(['organization_id', 'id'])
      .execute()
  },
}
