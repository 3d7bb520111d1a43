import { type Kysely, sql } from 'kysely'
import type { DatabaseDialect, Migration } from './index.ts'

/**
 * Every price has a market (a country) and a scope (one organization, or all). The market is one of the terms of a price, empty
 * for older ones; the scope belongs to the source, empty for the common market. Earlier contributions of an organization
 * become its own prices.
 */
export const migration: Migration = {
  name: '037-markets',
  async up(db, dialect) {
    await db.schema.alterTable('organization').addColumn('market', 'text').execute()
    await db.schema
      .alterTable('organization')
      .addColumn('is_common_source', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await rebuildWithKey(db, dialect, {
      table: 'observation_source',
      columns: ['name'],
      added: 'organization_id',
      formerKey: 'observation_source_name_key',
      key: 'observation_source_key',
    })
    await sql`update observation_source set organization_id = name where name in (select id from organization)`.execute(
      db,
    )
    await rebuildWithKey(db, dialect, {
      table: 'observation_terms',
      columns: ['side', 'rung', 'label', 'lock', 'paid_in', 'state'],
      added: 'market',
      formerKey: 'observation_terms_key',
      key: 'observation_terms_market_key',
    })
    await db.schema
      .createTable('organization_observed_device')
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('device_id', 'text', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('organization_observed_device_key', ['organization_id', 'device_id'])
      .execute()
    await db.schema
      .createIndex('organization_observed_device_revision')
      .on('organization_observed_device')
      .column('revision')
      .execute()
    await sql`insert into organization_observed_device (organization_id, device_id, revision)
      select distinct s.organization_id, d.device_id, 0 from observation o
      join observation_source s on s.id = o.source_id join observation_subject d on d.id = o.subject_id
      where s.organization_id <> ''`.execute(db)
  },
}

/** SQLite cannot change the key of a table, so the table is rebuilt there. Both are small: many prices share a row. */
async function rebuildWithKey(
  db: Kysely<unknown>,
  dialect: DatabaseDialect,
  change: { table: string; columns: readonly string[]; added: string; formerKey: string; key: string },
): Promise<void> {
  const { table, columns, added } = change
  if (dialect === 'postgres') {
    await db.schema
      .alterTable(table)
      .addColumn(added, 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await db.schema.alterTable(table).dropConstraint(change.formerKey).execute()
    await db.schema
      .alterTable(table)
      .addUniqueConstraint(change.key, [...columns, added])
      .execute()
    return
  }
  const former = `former_${table}`
  await db.schema.alterTable(table).renameTo(former).execute()
  let create = db.schema.createTable(table).addColumn('id', 'integer', (column) => column.primaryKey())
  for (const name of columns) create = create.addColumn(name, 'text', (column) => column.notNull())
  await create
    .addColumn(added, 'text', (column) => column.notNull().defaultTo(''))
    .addUniqueConstraint(change.key, [...columns, added] as never)
    .execute()
  const names = sql.join(['id', ...columns].map((name) => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${names}) select ${names} from ${sql.table(former)}`.execute(db)
  await db.schema.dropTable(former).execute()
}
