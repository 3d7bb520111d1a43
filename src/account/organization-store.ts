import { TIERS, type Tier } from '../contract/endpoints.ts'
import type { Database } from '../db/open.ts'

/** What the dashboard has to know of an organization. */
export function organizationStore(db: Database) {
  return {
    async organizationTier(organizationId: string): Promise<Tier> {
      const row = await db.query
        .selectFrom('organization_tier')
        .select('tier')
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      return TIERS.find((tier) => tier === row?.tier) ?? 'enterprise'
    },

    async setOrganizationTier(organizationId: string, tier: Tier): Promise<void> {
      await db.transaction(async (tx) => {
        await tx
          .insertInto('organization_tier')
          .values({ organization_id: organizationId, tier })
          .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ tier }))
          .execute()
      })
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
  }
}
