import type { Migration } from './index.ts'

/** A list clears only if its operator says so at import; lists imported earlier clear nothing until the next import. */
export const migration: Migration = {
  name: '011-list-clearing',
  async up(db) {
    await db.schema.alterTable('identifier_list').addColumn('area', 'text').execute()
    await db.schema.alterTable('identifier_list').addColumn('max_age_days', 'integer').execute()
  },
}
