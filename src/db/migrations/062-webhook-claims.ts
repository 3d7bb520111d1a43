import type { Migration } from './index.ts'

/** Several processes deliver: each claims deliveries until `claimed_until`, and stores results only of its own claims. */
export const migration: Migration = {
  name: '062-webhook-claims',
  async up(db) {
    await db.schema
      .alterTable('webhook_delivery')
      .addColumn('claimed_until', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('webhook_delivery')
      .addColumn('claimed_by', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
