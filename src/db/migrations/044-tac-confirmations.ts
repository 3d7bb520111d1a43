import type { Migration } from './index.ts'

/**
 * Models that people confirmed for the type allocation code of a device in hand: one row per unit, identified by a hash. The
 * operator's confirmations have an empty organization.
 */
export const migration: Migration = {
  name: '044-tac-confirmations',
  async up(db) {
    await db.schema
      .createTable('tac_confirmation')
      .addColumn('tac', 'text', (column) => column.notNull())
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('device_id', 'text', (column) => column.notNull())
      .addColumn('unit', 'text', (column) => column.notNull())
      .addColumn('confirmed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('tac_confirmation_key', ['tac', 'organization_id', 'device_id', 'unit'])
      .execute()
    await db.schema
      .createIndex('tac_confirmation_organization')
      .on('tac_confirmation')
      .column('organization_id')
      .execute()
  },
}
