import type { Migration } from './index.ts'

/** Share codes are deleted with their appraisals. */
export const migration: Migration = {
  name: '034-share-retention',
  async up(db) {
    await db.schema.createIndex('appraisal_share_by_age').on('appraisal_share').column('appraisal_id').execute()
  },
}
