import type { Migration } from './index.ts'

/** Titles that a person assigned to a model while importing; empty organization: those of the common market. */
export const migration: Migration = {
  name: '043-title-aliases',
  async up(db) {
    await db.schema
      .createTable('title_alias')
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('title_alias_key', ['organization_id', 'title'])
      .execute()
  },
}
