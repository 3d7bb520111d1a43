import { sql } from 'kysely'
import type { Migration } from './index.ts'

/** `disabled` means "not for sale": an unknown list price, which used to set it, no longer disables a variant. */
export const migration: Migration = {
  name: '059-enabled-variants',
  async up(db) {
    await sql`update variant set disabled = 0 where disabled = 1 and list_cents = 0`.execute(db)
  },
}
