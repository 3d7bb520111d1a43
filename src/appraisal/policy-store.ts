import type { Actor } from '../access/actor.ts'
import { type AuditEntry, writeAuditEntry } from '../access/audit-store.ts'
import { organizationOrRefusal } from '../access/organization-store.ts'
import type { PolicyWire } from '../contract/policy.ts'
import type { Database } from '../db/open.ts'

/** What an organization said for itself; the rest holds for all. */
export type OwnPolicy = Partial<PolicyWire>

export type PolicyStore = ReturnType<typeof policyStore>

export function policyStore(db: Database) {
  return {
    async all(): Promise<ReadonlyMap<string, OwnPolicy>> {
      const rows = await db.query.selectFrom('appraisal_policy').select(['organization_id', 'document']).execute()
      return new Map(rows.map((row) => [row.organization_id, JSON.parse(row.document) as OwnPolicy]))
    },

    async of(organizationId: string): Promise<OwnPolicy> {
      await organizationOrRefusal(db.query, organizationId)
      const row = await db.query
        .selectFrom('appraisal_policy')
        .select('document')
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      return row ? (JSON.parse(row.document) as OwnPolicy) : {}
    },

    /** What is given replaces what was said of it before; null takes it back, so that what holds for all holds again. */
    async change(
      organizationId: string,
      given: Readonly<{ [Name in keyof PolicyWire]?: PolicyWire[Name] | null }>,
      actor: Actor,
      now: number,
    ): Promise<OwnPolicy> {
      return db.transaction(async (tx) => {
        await organizationOrRefusal(tx, organizationId)
        const row = await tx
          .selectFrom('appraisal_policy')
          .select('document')
          .where('organization_id', '=', organizationId)
          .executeTakeFirst()
        const before: OwnPolicy = row ? JSON.parse(row.document) : {}
        const kept = Object.entries({ ...before, ...given }).filter(([, value]) => value !== null)
        const document = JSON.stringify(Object.fromEntries(kept))
        await tx
          .insertInto('appraisal_policy')
          .values({ organization_id: organizationId, document, updated_at: now })
          .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ document, updated_at: now }))
          .execute()
        const detail = Object.fromEntries(
          Object.entries(given).map(([name, value]) => [name, value === null ? 'as for all' : String(value)]),
        )
        const entry: AuditEntry = { action: 'organization.policy_changed', subject: organizationId, detail }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
        await db.announce(tx, 'access')
        return Object.fromEntries(kept) as OwnPolicy
      })
    },
  }
}
