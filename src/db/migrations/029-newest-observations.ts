import type { Migration } from './index.ts'

/**
 * Finds the newest rows of each source and terms of a subject; without it, one price reads all observations of a device.
 */
export const migration: Migration = {
  name: '029-newest-observations',
  async up(db) {
    await db.schema
      .createIndex('observation_newest')
      .on('observation')
      .columns(['subject_id', 'source_id', 'terms_id', 'observed_at'])
      .execute()
    await db.schema.dropIndex('observation_by_subject').execute()
  },
}
