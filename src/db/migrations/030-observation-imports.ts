import type { Migration } from './index.ts'

/** The import of an observation, so that an import can be undone. Null for rows imported earlier. */
export const migration: Migration = {
  name: '030-observation-imports',
  async up(db, dialect) {
    await db.schema
      .createTable('observation_import')
      .addColumn('id', dialect === 'postgres' ? 'serial' : 'integer', (column) => column.primaryKey())
      .addColumn('run_id', 'text', (column) => column.notNull().unique())
      .execute()
    await db.schema.alterTable('observation').addColumn('import_id', 'integer').execute()
  },
}
