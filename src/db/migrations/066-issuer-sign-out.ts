import type { Migration } from './index.ts'

/** ID token of a session that began at the issuer, encrypted; the issuer asks for it at sign-out. */
export const migration: Migration = {
  name: '066-issuer-sign-out',
  async up(db) {
    await db.schema.alterTable('session').addColumn('id_token', 'text').execute()
  },
}
