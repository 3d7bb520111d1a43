import type { Migration } from './index.ts'

/** Language each person chose for the dashboard; null: that of the browser. */
export const migration: Migration = {
  name: '052-languages',
  async up(db) {
    await db.schema.alterTable('person').addColumn('language', 'text').execute()
  },
}
