import type { Migration } from './index.ts'

export const migration: Migration = {
  name: '003-market',
  async up(db) {
    await db.schema
      .createTable('observation')
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('listing_id', 'text', (column) => column.notNull())
      .addColumn('side', 'text', (column) => column.notNull())
      .addColumn('device_id', 'text', (column) => column.notNull())
      .addColumn('configuration', 'text', (column) => column.notNull())
      .addColumn('variant_id', 'text')
      .addColumn('rung', 'text', (column) => column.notNull())
      .addColumn('label', 'text', (column) => column.notNull())
      .addColumn('lock', 'text', (column) => column.notNull())
      .addColumn('cents', 'integer', (column) => column.notNull())
      .addColumn('paid_in', 'text', (column) => column.notNull())
      .addColumn('observed_at', 'bigint', (column) => column.notNull())
      .addColumn('listed_at', 'bigint')
      .addColumn('state', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('observation_key', ['source', 'listing_id'])
      .execute()
    await db.schema.createIndex('observation_by_device').on('observation').column('device_id').execute()
    // One small row per observed device, with its last change, instead of an index over all observations.
    await db.schema
      .createTable('observed_device')
      .addColumn('device_id', 'text', (column) => column.primaryKey())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('observed_device_by_revision').on('observed_device').column('revision').execute()
    await db.schema
      .createTable('exchange_rate')
      .addColumn('currency', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('usd', 'double precision', (column) => column.notNull())
      .addPrimaryKeyConstraint('exchange_rate_key', ['currency', 'day'])
      .execute()
    // Result of the last fit of the price model over the whole market.
    await db.schema
      .createTable('market_fit')
      .addColumn('trade', 'text', (column) => column.primaryKey())
      .addColumn('method', 'text', (column) => column.notNull())
      .addColumn('fitted_at', 'bigint', (column) => column.notNull())
      .addColumn('observations', 'bigint', (column) => column.notNull())
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .execute()
  },
}
