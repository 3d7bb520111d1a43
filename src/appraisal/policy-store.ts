import type { Actor } from '../auth/actor.ts'
import { type AuditEntry, writeAuditEntry } from '../auth/audit-store.ts'
import { requireOrganization } from '../auth/organization-store.ts'
import { BASE_CURRENCY } from '../contract/currency.ts'
import type { PolicyWire } from '../contract/policy.ts'
import type { Exchange } from '../currency/exchange.ts'
import type { Database, Tx } from '../db/database.ts'
import { AMOUNT_FIELDS, convertStoredPolicy, type StoredPolicy } from './policy.ts'

export type PolicyStore = ReturnType<typeof policyStore>

export function policyStore(db: Database) {
  return {
    async all(): Promise<ReadonlyMap<string, StoredPolicy>> {
      const rows = await db.query.selectFrom('appraisal_policy').select(['organization_id', 'document']).execute()
      return new Map(rows.map((row) => [row.organization_id, JSON.parse(row.document) as StoredPolicy]))
    },

    of: (organizationId: string) => readPolicy(db.query, organizationId),

    /** Sets the given terms; null resets a term to its default. With another currency the other amounts are converted. */
    async change(
      organizationId: string,
      changes: Readonly<{ [Name in keyof PolicyWire]?: PolicyWire[Name] | null }>,
      actor: Actor,
      now: number,
      exchangeFor: (currency: string) => Exchange,
    ): Promise<StoredPolicy> {
      return db.transaction(async (tx) => {
        // Locked until the commit: of two changes at the same moment the second sees the first.
        await db.announceChange(tx, 'access')
        const before = await readPolicy(tx, organizationId)
        const [from, to] = [before.currency ?? BASE_CURRENCY, currencyAfter(before, changes)]
        const terms = from === to ? before : convertStoredPolicy(before, exchangeFor(from), exchangeFor(to))
        const termsToStore = Object.entries({ ...terms, ...changes }).filter(([, value]) => value !== null)
        const document = JSON.stringify(Object.fromEntries(termsToStore))
        await tx
          .insertInto('appraisal_policy')
          .values({ organization_id: organizationId, document, updated_at: now })
          .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ document, updated_at: now }))
          .execute()
        const detail = Object.fromEntries(
          Object.entries(changes).map(([name, value]) => [name, value === null ? 'default' : String(value)]),
        )
        const hasAmount = AMOUNT_FIELDS.some((field) => field in changes)
        const entry: AuditEntry = {
          action: 'organization.policy_changed',
          subject: organizationId,
          detail: hasAmount ? { ...detail, currency: to } : detail,
        }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
        return Object.fromEntries(termsToStore) as StoredPolicy
      })
    },
  }
}

async function readPolicy(tx: Tx, organizationId: string): Promise<StoredPolicy> {
  await requireOrganization(tx, organizationId)
  const row = await tx
    .selectFrom('appraisal_policy')
    .select('document')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row ? JSON.parse(row.document) : {}
}

function currencyAfter(before: StoredPolicy, changes: { readonly currency?: string | null }): string {
  const { currency = before.currency } = changes
  return currency ?? BASE_CURRENCY
}
