import type { Actor } from '../auth/actor.ts'
import { writeAuditEntry } from '../auth/audit-store.ts'
import { DEFAULT_RECEIPT_DETAILS, type ReceiptDetailsWire } from '../contract/receipt-details.ts'
import type { Database } from '../db/database.ts'

export type ReceiptDetailsStore = ReturnType<typeof receiptDetailsStore>

export function receiptDetailsStore(db: Database) {
  return {
    async of(organizationId: string): Promise<ReceiptDetailsWire> {
      const row = await db.query
        .selectFrom('receipt_details')
        .select('document')
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      return row ? { ...DEFAULT_RECEIPT_DETAILS, ...JSON.parse(row.document) } : DEFAULT_RECEIPT_DETAILS
    },

    async replace(organizationId: string, details: ReceiptDetailsWire, actor: Actor, now: number): Promise<void> {
      const document = JSON.stringify(details)
      await db.transaction(async (tx) => {
        await tx
          .insertInto('receipt_details')
          .values({ organization_id: organizationId, document, updated_at: now })
          .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ document, updated_at: now }))
          .execute()
        const entry = { action: 'organization.receipt_changed', subject: organizationId } as const
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },
  }
}
