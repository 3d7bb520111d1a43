import { KEY_EXPIRY_WARNING_DAYS } from '../contract/account-limits.ts'
import type { KeyState, KeyWire } from '../contract/api-keys.ts'
import { KEY_PREFIXES, type Tier, tierIncludes } from '../contract/tiers.ts'
import { ApiError } from '../http/api-error.ts'
import { invalid, unknownId } from '../lib/errors.ts'
import { DAY_MS, endOfDay, isoInstant, isoInstantOrNull } from '../lib/time.ts'
import { type DashboardDependencies, isOperator } from '../people/dashboard-dependencies.ts'
import { type DashboardRoute, dashboardRoute, type SessionContext } from '../people/session-route.ts'
import type { ApiKey } from './auth-store.ts'
import { parseAllowedNetworks } from './key-restriction.ts'
import { grantViolation } from './principals.ts'

export function keyDashboardRoutes(dependencies: Pick<DashboardDependencies, 'auth'>): DashboardRoute[] {
  const { auth } = dependencies

  async function assertMayGrant(
    c: SessionContext,
    power: Pick<ApiKey, 'tier' | 'rights'>,
    action: 'create' | 'change' | 'rotate',
  ): Promise<void> {
    const violation = grantViolation(c.get('principal'), power, action, await isOperator(dependencies, c))
    if (violation !== undefined) throw new ApiError('FORBIDDEN', violation)
  }

  /** The key, if the principal may handle keys with its tier and rights. */
  async function requireKey(c: SessionContext, id: string, action: 'change' | 'rotate'): Promise<ApiKey> {
    const key = (await auth.keys(c.get('organization').id)).find((candidate) => candidate.id === id)
    if (!key) throw unknownId('key', id)
    await assertMayGrant(c, key, action)
    return key
  }

  return [
    dashboardRoute('GET /account/keys', async (c) => {
      const { id, tier } = c.get('organization')
      const keys = await auth.keys(id)
      return { data: keys.map((key) => presentKey(key, tier, c.get('facts').now)).reverse() }
    }),

    dashboardRoute('POST /account/keys', async (c, { name, tier, expires_on = null, rights = [], ...restrictions }) => {
      const organization = c.get('organization')
      const principal = c.get('principal')
      const { now } = c.get('facts')
      await assertMayGrant(c, { tier, rights }, 'create')
      if (!tierIncludes(organization.tier, tier)) {
        throw new ApiError('FORBIDDEN', `The organization may use tiers up to ${organization.tier}.`)
      }
      // Includes the whole last day.
      const expiresAt = expires_on === null ? null : endOfDay(expires_on)
      if (expiresAt !== null && expiresAt <= now) throw invalid('expires_on', expires_on, 'a day that is not over')
      const { limit_per_minute: limitPerMinute = null, allowed_addresses = [] } = restrictions
      const allowedNetworks = parseAllowedNetworks(allowed_addresses)
      const newKey = { tier, name, expiresAt, rights: [...new Set(rights)], limitPerMinute, allowedNetworks }
      const { secret, key } = await auth.createKey(organization.id, newKey, principal.actor, now)
      return { data: { secret, key: presentKey(key, organization.tier, now) } }
    }),

    dashboardRoute('POST /account/keys/change', async (c, { id, name, limit_per_minute, allowed_addresses }) => {
      const organization = c.get('organization')
      const { now } = c.get('facts')
      const oldKey = await requireKey(c, id, 'change')
      const change = {
        name: name ?? oldKey.name,
        limitPerMinute: limit_per_minute === undefined ? oldKey.limitPerMinute : limit_per_minute,
        allowedNetworks: allowed_addresses ? parseAllowedNetworks(allowed_addresses) : oldKey.allowedNetworks,
      }
      const key = await auth.changeKey(organization.id, id, change, c.get('principal').actor, now)
      return { data: presentKey(key, organization.tier, now) }
    }),

    dashboardRoute('POST /account/keys/rotate', async (c, { id, overlap_days: overlapDays }) => {
      const organization = c.get('organization')
      const { actor } = c.get('principal')
      const { now } = c.get('facts')
      await requireKey(c, id, 'rotate')
      const { secret, key } = await auth.rotateKey(organization.id, id, overlapDays, actor, now)
      return { data: { secret, key: presentKey(key, organization.tier, now) } }
    }),

    dashboardRoute('POST /account/keys/revoke', async (c, { id }) => {
      await auth.revokeKey(c.get('organization').id, id, c.get('principal').actor, c.get('facts').now)
    }),
  ]
}

function keyState(key: ApiKey, highestTier: Tier, now: number): KeyState {
  if (key.revokedAt !== null) return 'revoked'
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired'
  if (!tierIncludes(highestTier, key.tier)) return 'blocked'
  return key.expiresAt !== null && key.expiresAt <= now + KEY_EXPIRY_WARNING_DAYS * DAY_MS ? 'ending' : 'active'
}

function presentKey(key: ApiKey, highestTier: Tier, now: number): KeyWire {
  return {
    id: key.id,
    organization_id: key.organizationId,
    name: key.name,
    tier: key.tier,
    rights: [...key.rights],
    prefix: KEY_PREFIXES[key.tier],
    last_four: key.lastFour,
    state: keyState(key, highestTier, now),
    created_at: isoInstant(key.createdAt),
    created_by: key.createdBy,
    expires_at: isoInstantOrNull(key.expiresAt),
    last_used_at: isoInstantOrNull(key.lastUsedAt),
    revoked_at: isoInstantOrNull(key.revokedAt),
    rotated_from: key.rotatedFrom,
    limit_per_minute: key.limitPerMinute,
    allowed_addresses: [...(key.allowedNetworks ?? [])],
  }
}
