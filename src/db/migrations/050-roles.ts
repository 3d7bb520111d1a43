import { sql } from 'kysely'
import type { Migration } from './index.ts'

/** The role `member` becomes `manager`, which has the same rights; `clerk` is new. */
export const migration: Migration = {
  name: '050-roles',
  async up(db) {
    await sql`update membership set role = 'manager' where role = 'member'`.execute(db)
    await sql`update one_time_link set role = 'manager' where role = 'member'`.execute(db)
  },
}
