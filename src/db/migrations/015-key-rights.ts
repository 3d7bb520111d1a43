import type { Migration } from './index.ts'

/** Rights of a key beside its tier. */
export const migration: Migration = {
  name: '015-key-rights',
  async up(db) {
    await db.schema
      .alterTable('api_key')
      .addColumn('rights', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
