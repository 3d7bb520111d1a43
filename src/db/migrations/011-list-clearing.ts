import type { Migration } from './index.ts'

/** A list clears only where its operator says so at import; those imported before clear nothing until they are imported again. */
export const migration: Migration = {
  name: '011-list-clearing',
  async up(db) {
    await db.schema.alterTable('identifier_list').addColumn('area', 'text').execute()
    await db.schema.alterTable('identifier_list').addColumn('max_age_days', 'integer').execute()
  },
}
