import { sql } from 'kysely'
import type { Migration } from './index.ts'

/** People who used a link from the operator have proven their address; those who joined by invitation have not. */
export const migration: Migration = {
  name: '031-proven-email',
  async up(db) {
    await db.schema.alterTable('person').addColumn('email_proven_at', 'bigint').execute()
    await sql`update person set email_proven_at = (
      select max(used_at) from one_time_link where one_time_link.email = person.email and purpose = 'sign_in'
    )`.execute(db)
  },
}
