import { sql } from 'kysely'
import { accountTables } from './001-schema/accounts.ts'
import { appraisalTables } from './001-schema/appraisals.ts'
import { catalogueTables } from './001-schema/catalogue.ts'
import type { DialectTypes } from './001-schema/dialect-types.ts'
import { eventTables } from './001-schema/events.ts'
import { importTables } from './001-schema/imports.ts'
import { lookupTables } from './001-schema/lookups.ts'
import { organizationTables } from './001-schema/organizations.ts'
import { priceTables } from './001-schema/prices.ts'
import { serviceTables } from './001-schema/service.ts'
import { usageTables } from './001-schema/usage.ts'
import type { DatabaseDialect, Migration } from './index.ts'

const DIALECT_TYPES: Readonly<Record<DatabaseDialect, DialectTypes>> = {
  sqlite: { serial: 'integer', byteOrderedText: 'text' },
  postgres: { serial: 'serial', byteOrderedText: 'text collate "C"' },
}

/**
 * Every delivery is updated twice, when it is claimed and when it is settled. Free space in each page lets PostgreSQL claim
 * without new index entries, and frequent vacuums keep the head of the queue short.
 */
const POSTGRES_STORAGE = `alter table webhook_delivery set (
  fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05
)`

/** The whole schema of 0.1.0. `src/db/schema.ts` describes the columns. */
export const migration: Migration = {
  name: '001-schema',
  async up(db, dialect) {
    const statements = [
      ...serviceTables,
      ...organizationTables,
      ...accountTables,
      ...catalogueTables,
      ...priceTables(DIALECT_TYPES[dialect]),
      ...lookupTables,
      ...appraisalTables(DIALECT_TYPES[dialect]),
      ...importTables,
      ...eventTables,
      ...usageTables,
    ]
    if (dialect === 'postgres') statements.push(POSTGRES_STORAGE)
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
