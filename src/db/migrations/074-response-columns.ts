import type { Migration } from './index.ts'

/** Stored responses are called `response`, as in the API. */
export const migration: Migration = {
  name: '074-response-columns',
  async up(db) {
    for (const table of ['lookup', 'appraisal', 'idempotency', 'webhook_delivery']) {
      await db.schema.alterTable(table).renameColumn('answer', 'response').execute()
    }
  },
}
