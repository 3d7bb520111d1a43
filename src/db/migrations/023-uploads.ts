import { sql } from 'kysely'
import type { Migration } from './index.ts'

/** Lists that people upload, from their first byte to what came of them; and which organization runs the service. */
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
      // Unique, so that of several processes that would begin at once only one can.
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
    // Whoever set the service up in a browser runs it; the organization that the first start made is not theirs by choice.
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
