import type { Migration } from './index.ts'

/** What an owner allows a key: fewer requests a minute than others, and the networks it may be used from. */
export const migration: Migration = {
  name: '017-key-restrictions',
  async up(db) {
    await db.schema.alterTable('api_key').addColumn('limit_per_minute', 'integer').execute()
    await db.schema.alterTable('api_key').addColumn('allowed_networks', 'text').execute()
  },
}
