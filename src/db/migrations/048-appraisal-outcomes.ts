import { sql } from 'kysely'
import type { Migration } from './index.ts'

/**
 * Outcomes of appraised devices. The status is also a column of the appraisal, so that a long history can be filtered by it.
 * The forecast of the appraisal is copied beside the prices, so that a report does not parse every appraisal.
 */
export const migration: Migration = {
  name: '048-appraisal-outcomes',
  async up(db) {
    await sql`alter table appraisal add column outcome text not null default ''`.execute(db)
    await db.schema
      .createIndex('appraisal_by_outcome')
      .on('appraisal')
      .columns(['organization_id', 'outcome', 'id'])
      .execute()
    await db.schema
      .createTable('appraisal_outcome')
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('appraisal_id', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('bought_price', 'bigint')
      .addColumn('bought_currency', 'text')
      .addColumn('bought_on', 'text')
      .addColumn('sold_price', 'bigint')
      .addColumn('sold_currency', 'text')
      .addColumn('sold_on', 'text')
      .addColumn('declined_by', 'text')
      .addColumn('declined_on', 'text')
      .addColumn('note', 'text')
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('device_id', 'text', (column) => column.notNull())
      .addColumn('configuration', 'text')
      .addColumn('variant_id', 'text')
      .addColumn('grade', 'text')
      .addColumn('market', 'text')
      .addColumn('bought_cents', 'bigint')
      .addColumn('sold_cents', 'bigint')
      .addColumn('currency', 'text', (column) => column.notNull())
      .addColumn('is_sample', 'integer', (column) => column.notNull())
      .addColumn('forecast_offer', 'bigint')
      .addColumn('forecast_sale', 'bigint')
      .addColumn('forecast_sale_low', 'bigint')
      .addColumn('forecast_sale_high', 'bigint')
      .addColumn('forecast_costs', 'bigint')
      .addColumn('forecast_downside', 'bigint')
      .addPrimaryKeyConstraint('appraisal_outcome_key', ['organization_id', 'appraisal_id'])
      .execute()
    for (const column of ['status', 'bought_on', 'sold_on', 'declined_on', 'device_id']) {
      await db.schema
        .createIndex(`appraisal_outcome_by_${column}`)
        .on('appraisal_outcome')
        .columns(['organization_id', column, 'appraisal_id'])
        .execute()
    }
    // Outcomes are deleted with their appraisals, of all organizations at once.
    await db.schema.createIndex('appraisal_outcome_by_age').on('appraisal_outcome').column('appraisal_id').execute()
    await db.schema
      .alterTable('organization')
      .addColumn('uses_deals', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
  },
}
