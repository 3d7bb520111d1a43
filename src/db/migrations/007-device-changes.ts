import type { Migration } from './index.ts'

/** Processes read changed devices in pages, in this order. Without the id in the index each page would sort them all. */
export const migration: Migration = {
  name: '007-device-changes',
  async up(db) {
    await db.schema.dropIndex('device_by_revision').execute()
    await db.schema.createIndex('device_by_change').on('device').columns(['revision', 'id']).execute()
  },
}
