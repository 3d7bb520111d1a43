import type { Migration } from './index.ts'

/** Second factors of people, and whether an organization requires one. */
export const migration: Migration = {
  name: '021-second-factors',
  async up(db) {
    await db.schema
      .createTable('totp')
      .addColumn('person_id', 'text', (column) => column.primaryKey().references('person.id'))
      .addColumn('sealed_secret', 'text', (column) => column.notNull())
      .addColumn('confirmed_at', 'bigint')
      .addColumn('last_step', 'bigint')
      .execute()
    await db.schema
      .createTable('passkey')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('person_id', 'text', (column) => column.notNull().references('person.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('counter', 'bigint', (column) => column.notNull())
      .addColumn('transports', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute()
    await db.schema.createIndex('passkey_by_person').on('passkey').column('person_id').execute()
    await db.schema
      .createTable('recovery_code')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('person_id', 'text', (column) => column.notNull().references('person.id'))
      .execute()
    await db.schema.createIndex('recovery_code_by_person').on('recovery_code').column('person_id').execute()
    await db.schema
      .createTable('challenge')
      .addColumn('token_hash', 'text', (column) => column.primaryKey())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('person_id', 'text')
      .addColumn('organization_id', 'text')
      .addColumn('challenge', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('challenge_by_age').on('challenge').column('expires_at').execute()
    await db.schema
      .alterTable('organization')
      .addColumn('second_factor_required', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
