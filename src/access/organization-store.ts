import { TIERS, type Tier } from '../contract/tiers.ts'
import type { Database, Tx } from '../db/open.ts'
import { noSuch } from '../errors.ts'
import { sortableId } from '../id.ts'
import type { Actor } from './actor.ts'
import { type AuditEntry, writeAuditEntry } from './audit-store.ts'
import { readName } from './name.ts'

export type Organization = {
  readonly id: string
  readonly name: string
  readonly limitPerMinute: number | null
  readonly createdAt: number
}

export function organizationStore(db: Database) {
  return {
    async createOrganization(name: string, actor: Actor, now: number): Promise<Organization> {
      const organization = { id: sortableId('org', now), name: readName(name), createdAt: now }
      await db.transaction(async (tx) => {
        await tx
          .insertInto('organization')
          .values({ id: organization.id, name: organization.name, limit_per_minute: null, created_at: now })
          .execute()
        const entry: AuditEntry = {
          action: 'organization.created',
          subject: organization.id,
          detail: { name: organization.name },
        }
        await writeAuditEntry(tx, organization.id, actor, entry, now)
      })
      return { ...organization, limitPerMinute: null }
    },

    async organizations(): Promise<Organization[]> {
      const rows = await db.query.selectFrom('organization').selectAll().orderBy('id').execute()
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        limitPerMinute: row.limit_per_minute,
        createdAt: row.created_at,
      }))
    },

    async organizationName(organizationId: string): Promise<string | null> {
      const row = await db.query
        .selectFrom('organization')
        .select('name')
        .where('id', '=', organizationId)
        .executeTakeFirst()
      return row?.name ?? null
    },

    async organizationLimit(organizationId: string): Promise<number | null> {
      const row = await db.query
        .selectFrom('organization')
        .select('limit_per_minute')
        .where('id', '=', organizationId)
        .executeTakeFirst()
      return row?.limit_per_minute ?? null
    },

    /** Its own number of requests per minute for each key, or null for the tier's. */
    async setLimit(organizationId: string, limitPerMinute: number | null, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await organizationOrRefusal(tx, organizationId)
        await tx
          .updateTable('organization')
          .set({ limit_per_minute: limitPerMinute })
          .where('id', '=', organizationId)
          .execute()
        const revision = await db.announce(tx, 'access')
        await tx.updateTable('api_key').set({ revision }).where('organization_id', '=', organizationId).execute()
        const detail = { limit_per_minute: limitPerMinute === null ? 'by tier' : String(limitPerMinute) }
        const entry: AuditEntry = { action: 'organization.limit_changed', subject: organizationId, detail }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },

    /** The highest tier of the keys that it can make and of what its people can explore. */
    async organizationTier(organizationId: string): Promise<Tier> {
      const row = await db.query
        .selectFrom('organization_tier')
        .select('tier')
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      return TIERS.find((tier) => tier === row?.tier) ?? 'enterprise'
    },

    async setTier(organizationId: string, tier: Tier, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await organizationOrRefusal(tx, organizationId)
        await tx
          .insertInto('organization_tier')
          .values({ organization_id: organizationId, tier })
          .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ tier }))
          .execute()
        const entry: AuditEntry = { action: 'organization.tier_changed', subject: organizationId, detail: { tier } }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },
  }
}

export async function organizationOrRefusal(tx: Tx, id: string): Promise<void> {
  const found = await tx.selectFrom('organization').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw noSuch('organization', id)
}
