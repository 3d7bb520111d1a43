import { sql } from 'kysely'
import type { Migration } from './index.ts'

/** The organization that alone sees an import run, beside the operator; null for a run of the service. */
export const migration: Migration = {
  name: '072-import-run-organization',
  async up(db) {
    await db.schema.alterTable('import_run').addColumn('organization_id', 'text').execute()
    const label = 'contributed by '
    await sql`update import_run set organization_id = substr(file, ${sql.lit(label.length + 1)})
      where file like ${sql.lit(`${label}%`)}`.execute(db)
    await db.schema.createIndex('import_run_organization').on('import_run').columns(['organization_id', 'id']).execute()
  },
}
