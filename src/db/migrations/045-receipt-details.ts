import type { Migration } from './index.ts'

/** Texts on the receipts of each organization: shop, address, VAT id, logo. */
export const migration: Migration = {
  name: '045-receipt-details',
  async up(db) {
    await db.schema
      .createTable('receipt_details')
      .addColumn('organization_id', 'text', (column) => column.primaryKey())
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
