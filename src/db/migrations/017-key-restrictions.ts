import type { Migration } from './index.ts'

/** Rate limit of a key, and the networks it may be used from. */
export const migration: Migration = {
  name: '017-key-restrictions',
  async up(db) {
    await db.schema.alterTable('api_key').addColumn('limit_per_minute', 'integer').execute()
    await db.schema.alterTable('api_key').addColumn('allowed_networks', 'text').execute()
  },
}
