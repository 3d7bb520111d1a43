import type { Migration } from './index.ts'

/** The import that a confirmed model comes from, so that undoing the import deletes it. */
export const migration: Migration = {
  name: '064-learned-tacs',
  async up(db) {
    await db.schema.alterTable('tac_confirmation').addColumn('import_id', 'text').execute()
    await db.schema.createIndex('tac_confirmation_import').on('tac_confirmation').column('import_id').execute()
  },
}
