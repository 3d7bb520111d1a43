import type { Actor } from '../auth/actor.ts'
import { writeAuditEntry } from '../auth/audit-store.ts'
import type { Database } from '../db/database.ts'
import { conflict } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import type { StoredTradeIn, TradeInPage } from './trade-in-settings.ts'

export type TradeInStore = ReturnType<typeof tradeInStore>

/** The settings of the trade-in pages. */
export function tradeInStore(db: Database) {
  const page = (row: { id: string; name: string; trade_in: string | null }): TradeInPage => ({
    organizationId: row.id,
    organizationName: row.name,
    stored: JSON.parse(row.trade_in ?? '{}'),
  })
  const organizations = () => db.query.selectFrom('organization').select(['id', 'name', 'trade_in'])

  return {
    async of(organizationId: string): Promise<TradeInPage | null> {
      const row = await organizations().where('id', '=', organizationId).executeTakeFirst()
      return row ? page(row) : null
    },

    async bySlug(slug: string): Promise<TradeInPage | null> {
      const row = await organizations().where('trade_in_slug', '=', slug).executeTakeFirst()
      return row ? page(row) : null
    },

    /** Replaces the stored settings. A slug belongs to one organization, from its first save on. */
    async save(organizationId: string, stored: StoredTradeIn, slug: string, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        const other = await tx
          .selectFrom('organization')
          .select('id')
          .where('trade_in_slug', '=', slug)
          .where('id', '!=', organizationId)
          .executeTakeFirst()
        if (other)
          throw conflict(
            'trade_in.slug',
            `The address "${slug}" is taken. Choose another one.`,
            reason('slug_taken', { slug }),
          )
        await tx
          .updateTable('organization')
          .set({ trade_in: JSON.stringify(stored), trade_in_slug: slug })
          .where('id', '=', organizationId)
          .execute()
        const detail = { enabled: stored.enabled ? 'yes' : 'no', slug }
        const entry = { action: 'organization.trade_in_changed', subject: organizationId, detail } as const
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },
  }
}
