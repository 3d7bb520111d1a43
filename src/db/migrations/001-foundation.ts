import type { Migration } from './index.ts'

export const migration: Migration = {
  name: '001-foundation',
  async up(db) {
    await db.schema
      .createTable('change')
      .addColumn('topic', 'text', (column) => column.primaryKey())
      .addColumn('counter', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('setting')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute()

    await db.schema
      .createTable('organization')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('limit_per_minute', 'integer')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('api_key')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('tier', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('last_four', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .addColumn('revoked_at', 'bigint')
      .addColumn('rotated_from', 'text')
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('api_key_by_revision').on('api_key').column('revision').execute()
    await db.schema.createIndex('api_key_by_organization').on('api_key').column('organization_id').execute()

    await db.schema
      .createTable('device')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('make', 'text', (column) => column.notNull())
      .addColumn('category', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('released_on', 'text')
      .addColumn('release_precision', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('provenance', 'text', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('device_by_revision').on('device').column('revision').execute()
    await db.schema
      .createTable('variant')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('device_id', 'text', (column) => column.notNull().references('device.id'))
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('sku', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('list_cents', 'integer', (column) => column.notNull())
      .addColumn('disabled', 'integer', (column) => column.notNull())
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('provenance', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('variant_by_device').on('variant').column('device_id').execute()
    await db.schema
      .createTable('tac')
      .addColumn('tac', 'text', (column) => column.notNull())
      .addColumn('device_id', 'text')
      .addColumn('make', 'text', (column) => column.notNull())
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('confidence', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('tac_key', ['tac', 'source', 'make', 'model'])
      .execute()
  },
}
