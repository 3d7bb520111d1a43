import { sql } from 'kysely'
import type { Migration } from './index.ts'

/** Prices that an import replaced by newer ones of the same listings; undoing the import restores them. */
export const migration: Migration = {
  name: '042-replaced-observations',
  async up(db, dialect) {
    const listing = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
    await db.schema
      .createTable('replaced_observation')
      .addColumn('replaced_by', 'integer', (column) => column.notNull())
      .addColumn('source_id', 'integer', (column) => column.notNull())
      .addColumn('listing_id', listing, (column) => column.notNull())
      .addColumn('subject_id', 'integer', (column) => column.notNull())
      .addColumn('terms_id', 'integer', (column) => column.notNull())
      .addColumn('cents', 'integer', (column) => column.notNull())
      .addColumn('observed_at', 'bigint', (column) => column.notNull())
      .addColumn('listed_at', 'bigint')
      .addColumn('import_id', 'integer')
      .addPrimaryKeyConstraint('replaced_observation_key', ['replaced_by', 'source_id', 'listing_id'])
      .execute()
    await db.schema
      .createIndex('replaced_observation_import')
      .on('replaced_observation')
      .columns(['import_id', 'source_id', 'listing_id'])
      .execute()
  },
}
