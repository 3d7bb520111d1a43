import type { Migration } from './index.ts'

/**
 * Ids of events. Before, the id was the position among the events of all organizations, which revealed their number. Older
 * events keep that id: theirs is null here.
 */
export const migration: Migration = {
  name: '033-event-ids',
  async up(db) {
    await db.schema.alterTable('event').addColumn('id', 'text').execute()
    await db.schema.createIndex('event_by_id').on('event').column('id').execute()
  },
}
