import type { Migration } from './index.ts'

/** Accounts of an OpenID Connect issuer, and organizations that require sign-in there. */
export const migration: Migration = {
  name: '055-single-sign-on',
  async up(db) {
    await db.schema
      .createTable('oidc_identity')
      .addColumn('issuer', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('person_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('oidc_identity_key', ['issuer', 'subject'])
      .execute()
    await db.schema.createIndex('oidc_identity_by_person').on('oidc_identity').column('person_id').execute()
    await db.schema
      .createTable('organization_sign_on')
      .addColumn('organization_id', 'text', (column) => column.primaryKey())
      // The owner who may still sign in with password and second factor.
      .addColumn('break_glass_person_id', 'text', (column) => column.notNull())
      .execute()
  },
}
