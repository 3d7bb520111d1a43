import type { Migration } from './index.ts'

/** A running process asks for what changed in pages, in this order; without the id in it each page would sort them all. */
export const migration: Migration = {
  name: '007-device-changes',
  async up(db) {
    await db.schema.dropIndex('device_by_revision').execute()
    await db.schema.createIndex('device_by_change').on('device').columns(['revision', 'id']).execute()
  },
}
