import type { Migration } from './index.ts'

/** What a key may do beside what its tier allows. */
export const migration: Migration = {
  name: '015-key-rights',
  async up(db) {
    await db.schema
      .alterTable('api_key')
      .addColumn('rights', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
