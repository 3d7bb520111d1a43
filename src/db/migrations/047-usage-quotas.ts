import type { Migration } from './index.ts'

/** Monthly request quota of an organization; null: none. A hard quota rejects requests beyond it. */
export const migration: Migration = {
  name: '047-usage-quotas',
  async up(db) {
    await db.schema.alterTable('organization').addColumn('monthly_quota', 'bigint').execute()
    await db.schema
      .alterTable('organization')
      .addColumn('is_quota_hard', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
