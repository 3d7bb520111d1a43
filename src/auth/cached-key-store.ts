import { KEY_RIGHTS, type KeyRight, TIERS, type Tier } from '../contract/tiers.ts'
import type { Database } from '../db/database.ts'
import type { CachedKey } from './cached-key.ts'
import { toKeyRestriction } from './key-restriction.ts'
import { tierOrHighest } from './organization-store.ts'

export function cachedKeyStore(db: Database) {
  const selectKeys = () =>
    db.query
      .selectFrom('api_key')
      .innerJoin('organization', 'organization.id', 'api_key.organization_id')
      .leftJoin('organization_tier', 'organization_tier.organization_id', 'api_key.organization_id')
      .select([
        'api_key.id as id',
        'api_key.hash as hash',
        'api_key.name as name',
        'api_key.organization_id as organizationId',
        'api_key.tier as tier',
        'api_key.rights as rights',
        'organization.limit_per_minute as limitPerMinute',
        'organization_tier.tier as organizationTier',
        'api_key.limit_per_minute as ownLimitPerMinute',
        'api_key.allowed_networks as networks',
        'api_key.expires_at as expiresAt',
        'api_key.revoked_at as revokedAt',
        'api_key.revision as revision',
      ])

  return {
    async cachedKeysSince(revision: number): Promise<CachedKey[]> {
      const rows = await selectKeys().where('api_key.revision', '>', revision).execute()
      return rows.map(toCachedKey)
    },

    async countKeys(): Promise<number> {
      const query = db.query.selectFrom('api_key').select((eb) => eb.fn.countAll<number>().as('count'))
      return Number((await query.executeTakeFirstOrThrow()).count)
    },

    async findCachedKey(hash: string): Promise<CachedKey | undefined> {
      const row = await selectKeys().where('api_key.hash', '=', hash).executeTakeFirst()
      return row && toCachedKey(row)
    },
  }
}

function toCachedKey({
  organizationTier,
  networks,
  ...row
}: Omit<CachedKey, 'tier' | 'rights' | 'restriction'> & {
  readonly rights: string
  readonly tier: string
  readonly organizationTier: string | null
  readonly networks: string | null
}): CachedKey {
  const tier = parseTier(row.tier)
  return {
    ...row,
    tier,
    rights: parseRights(row.rights),
    restriction: toKeyRestriction(tier, tierOrHighest(organizationTier), networks),
  }
}

export function parseTier(text: string): Tier {
  const tier = TIERS.find((candidate) => candidate === text)
  if (!tier) throw new Error(`Unknown tier "${text}" in the database.`)
  return tier
}

export const parseRights = (text: string): readonly KeyRight[] =>
  KEY_RIGHTS.filter((right) => text.split(' ').includes(right))
