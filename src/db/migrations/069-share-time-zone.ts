import type { Migration } from './index.ts'

/** Time zone of the shop, in which the verification page shows times; null: UTC. */
export const migration: Migration = {
  name: '069-share-time-zone',
  async up(db) {
    await db.schema.alterTable('appraisal_share').addColumn('time_zone', 'text').execute()
  },
}
