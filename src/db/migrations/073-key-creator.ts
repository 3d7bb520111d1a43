import { sql } from 'kysely'
import type { Migration } from './index.ts'

/** The person or command that created a key, until now only in the audit trail. */
export const migration: Migration = {
  name: '073-key-creator',
  async up(db) {
    await db.schema.alterTable('api_key').addColumn('created_by', 'text').execute()
    await sql`update api_key set created_by = creation.who
      from (select subject, who from activity where action in ('key.created', 'key.rotated')) as creation
      where creation.subject = api_key.id`.execute(db)
  },
}
