import { sql } from 'kysely'
import type { Migration } from './index.ts'

/**
 * Own prices of an organization have subjects of their own, so that reading the common prices of a device does not scan the
 * rows of thousands of organizations.
 */
export const migration: Migration = {
  name: '038-own-prices',
  async up(db, dialect) {
    const key = ['organization_id', 'device_id', 'configuration', 'variant_id']
    const columns = sql`device_id, configuration, variant_id`
    if (dialect === 'postgres') {
      await db.schema
        .alterTable('observation_subject')
        .addColumn('organization_id', 'text', (column) => column.notNull().defaultTo(''))
        .execute()
      await db.schema.alterTable('observation_subject').dropConstraint('observation_subject_key').execute()
      await db.schema
        .alterTable('observation_subject')
        .addUniqueConstraint('observation_subject_scope_key', key as never)
        .execute()
    } else {
      await db.schema.alterTable('observation_subject').renameTo('former_observation_subject').execute()
      await db.schema
        .createTable('observation_subject')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('device_id', 'text', (column) => column.notNull())
        .addColumn('configuration', 'text', (column) => column.notNull())
        .addColumn('variant_id', 'text', (column) => column.notNull())
        .addColumn('organization_id', 'text', (column) => column.notNull().defaultTo(''))
        .addUniqueConstraint('observation_subject_scope_key', key as never)
        .execute()
      await sql`insert into observation_subject (id, ${columns}) select id, ${columns} from former_observation_subject`.execute(
        db,
      )
      await db.schema.dropTable('former_observation_subject').execute()
    }
    await sql`insert into observation_subject (device_id, configuration, variant_id, organization_id)
      select distinct d.device_id, d.configuration, d.variant_id, s.organization_id from observation_source s
      join observation o on o.source_id = s.id join observation_subject d on d.id = o.subject_id
      where s.organization_id <> ''`.execute(db)
    await sql`update observation set subject_id = (select own.id from observation_subject own, observation_subject common,
        observation_source s
      where s.id = observation.source_id and common.id = observation.subject_id
        and own.organization_id = s.organization_id and own.device_id = common.device_id
        and own.configuration = common.configuration and own.variant_id = common.variant_id)
      where source_id in (select id from observation_source where organization_id <> '')`.execute(db)
  },
}
