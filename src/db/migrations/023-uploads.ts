import { sql } from 'kysely'
import type { Migration } from './index.ts'

/** Uploaded files with the state of their import, and the organization that runs the service. */
export const migration: Migration = {
  name: '023-uploads',
  async up(db) {
    await db.schema
      .createTable('upload')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('person_id', 'text', (column) => column.notNull())
      .addColumn('who', 'text', (column) => column.notNull())
      .addColumn('format', 'text', (column) => column.notNull())
      .addColumn('file', 'text', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      // Unique, so that only one of several processes starts.
      .addColumn('turn', 'integer', (column) => column.unique())
      .addColumn('taken_at', 'bigint')
      .addColumn('stop_asked', 'integer', (column) => column.notNull())
      .addColumn('options', 'text', (column) => column.notNull())
      .addColumn('preview', 'text')
      .addColumn('failure', 'text')
      .addColumn('rows_read', 'bigint', (column) => column.notNull())
      .addColumn('percent', 'integer')
      .addColumn('note', 'text')
      .addColumn('run_id', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('upload_by_person')
      .on('upload')
      .columns(['organization_id', 'person_id', 'id'])
      .execute()
    // The organization that was set up in a browser runs the service, not one that the first start created.
    await sql`
      insert into setting (name, value)
      select 'operator_organization', organization_id from activity
      where action = 'member.joined' and detail like '%"by":"set-up code"%' and organization_id not in (
        select organization_id from activity where action = 'organization.created' and who = 'first start'
      )
      order by id limit 1
    `.execute(db)
  },
}
