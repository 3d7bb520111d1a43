import { sql } from 'kysely'
import type { Migration } from './index.ts'

/** Number of appraisals per organization and device, updated with each appraisal. */
export const migration: Migration = {
  name: '025-appraised-devices',
  async up(db) {
    await db.schema
      .createTable('appraised_device')
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('device_id', 'text', (column) => column.notNull())
      .addColumn('total', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('appraised_device_key', ['organization_id', 'device_id'])
      .execute()
    await sql`insert into appraised_device (organization_id, device_id, total)
      select organization_id, device_id, count(*) from appraisal where device_id <> ''
      group by organization_id, device_id`.execute(db)
    await db.schema
      .createIndex('appraised_device_by_total')
      .on('appraised_device')
      .columns(['organization_id', 'total desc', 'device_id'])
      .execute()
  },
}
