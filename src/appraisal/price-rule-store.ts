import type { Actor } from '../auth/actor.ts'
import { writeAuditEntry } from '../auth/audit-store.ts'
import type { Database, Tx } from '../db/database.ts'
import type { PriceRules } from './price-rules.ts'

export type PriceRuleStore = ReturnType<typeof priceRuleStore>

export function priceRuleStore(db: Database) {
  return {
    async all(): Promise<ReadonlyMap<string, PriceRules>> {
      const rows = await db.query.selectFrom('price_rules').select(['organization_id', 'document']).execute()
      return new Map(rows.map((row) => [row.organization_id, toRules(row)]))
    },

    of: (organizationId: string) => readRules(db.query, organizationId),

    /** Replaces the rules by what `decide` makes of the current ones. */
    async replace(
      organizationId: string,
      decide: (current: PriceRules | null) => PriceRules,
      actor: Actor,
      now: number,
    ): Promise<PriceRules> {
      return db.transaction(async (tx) => {
        // Locked until the commit: of two changes at the same moment the second sees the first.
        await db.announceChange(tx, 'access')
        const rules = decide(await readRules(tx, organizationId))
        const document = JSON.stringify(rules)
        await tx
          .insertInto('price_rules')
          .values({ organization_id: organizationId, document, updated_at: now })
          .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ document, updated_at: now }))
          .execute()
        const detail = { rules: String(rules.rules.length) }
        const entry = { action: 'organization.price_rules_changed', subject: organizationId, detail } as const
        await writeAuditEntry(tx, organizationId, actor, entry, now)
        return rules
      })
    },
  }
}

async function readRules(tx: Tx, organizationId: string): Promise<PriceRules | null> {
  const row = await tx
    .selectFrom('price_rules')
    .select('document')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row ? toRules(row) : null
}

const toRules = ({ document }: { readonly document: string }): PriceRules => JSON.parse(document)
