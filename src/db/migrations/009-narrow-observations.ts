import { sql } from 'kysely'
import type { Migration } from './index.ts'

/**
 * Source, subject and terms, which many observations share, are stored once and referenced by number. A row is a quarter as
 * wide, and its two indexes hold a number and a short key.
 */
export const migration: Migration = {
  name: '009-narrow-observations',
  async up(db, dialect) {
    const numbered = dialect === 'postgres' ? 'serial' : 'integer'
    await db.schema
      .createTable('observation_source')
      .addColumn('id', numbered, (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull().unique())
      .execute()
    await db.schema
      .createTable('observation_subject')
      .addColumn('id', numbered, (column) => column.primaryKey())
      .addColumn('device_id', 'text', (column) => column.notNull())
      .addColumn('configuration', 'text', (column) => column.notNull())
      // Empty if several variants fit: null would never be equal to null in the unique key.
      .addColumn('variant_id', 'text', (column) => column.notNull())
      .addUniqueConstraint('observation_subject_key', ['device_id', 'configuration', 'variant_id'])
      .execute()
    await db.schema
      .createTable('observation_terms')
      .addColumn('id', numbered, (column) => column.primaryKey())
      .addColumn('side', 'text', (column) => column.notNull())
      .addColumn('rung', 'text', (column) => column.notNull())
      .addColumn('label', 'text', (column) => column.notNull())
      .addColumn('lock', 'text', (column) => column.notNull())
      .addColumn('paid_in', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addUniqueConstraint('observation_terms_key', ['side', 'rung', 'label', 'lock', 'paid_in', 'state'])
      .execute()

    await db.schema.alterTable('observation').renameTo('wide_observation').execute()
    // Byte order: comparing by the rules of a language takes longer and is not needed.
    const listing = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
    await db.schema
      .createTable('observation')
      .addColumn('source_id', 'integer', (column) => column.notNull())
      .addColumn('listing_id', listing, (column) => column.notNull())
      .addColumn('subject_id', 'integer', (column) => column.notNull())
      .addColumn('terms_id', 'integer', (column) => column.notNull())
      .addColumn('cents', 'integer', (column) => column.notNull())
      .addColumn('observed_at', 'bigint', (column) => column.notNull())
      .addColumn('listed_at', 'bigint')
      .addPrimaryKeyConstraint('observation_listing', ['source_id', 'listing_id'])
      .execute()
    await sql`insert into observation_source (name) select distinct source from wide_observation`.execute(db)
    await sql`insert into observation_subject (device_id, configuration, variant_id)
      select distinct device_id, configuration, coalesce(variant_id, '') from wide_observation`.execute(db)
    await sql`insert into observation_terms (side, rung, label, lock, paid_in, state)
      select distinct side, rung, label, lock, paid_in, state from wide_observation`.execute(db)
    await sql`insert into observation (source_id, listing_id, subject_id, terms_id, cents, observed_at, listed_at)
      select s.id, o.listing_id, d.id, t.id, o.cents, o.observed_at, o.listed_at
      from wide_observation o
      join observation_source s on s.name = o.source
      join observation_subject d on d.device_id = o.device_id and d.configuration = o.configuration
        and d.variant_id = coalesce(o.variant_id, '')
      join observation_terms t on t.side = o.side and t.rung = o.rung and t.label = o.label and t.lock = o.lock
        and t.paid_in = o.paid_in and t.state = o.state
      order by d.id`.execute(db)
    await db.schema.dropTable('wide_observation').execute()
    await db.schema.createIndex('observation_by_subject').on('observation').column('subject_id').execute()
  },
}
