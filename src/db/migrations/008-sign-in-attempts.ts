import type { Migration } from './index.ts'

/** Attempts are counted by e-mail address, also for unknown ones, so that both cases take the same time. */
export const migration: Migration = {
  name: '008-sign-in-attempts',
  async up(db) {
    await db.schema
      .createTable('sign_in_attempt')
      .addColumn('address_hash', 'text', (column) => column.primaryKey())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('blocked_until', 'bigint')
      .addColumn('attempted_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('sign_in_attempt_by_age').on('sign_in_attempt').column('attempted_at').execute()
    await db.schema.alterTable('person').dropColumn('failures').execute()
    await db.schema.alterTable('person').dropColumn('blocked_until').execute()
  },
}
