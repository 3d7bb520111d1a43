import { KEY_EXPIRY_WARNING_DAYS } from '../contract/account-limits.ts'
import type { KeyState, KeyWire } from '../contract/api-keys.ts'
import type { KeyChangeRequest, NewKeyRequest } from '../contract/management-keys.ts'
import { KEY_PREFIXES, type Tier, tierIncludes } from '../contract/tiers.ts'
import type { Principal } from '../http/principal.ts'
import { DomainError, invalid, unknownId } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { DAY_MS, endOfDay, isoInstant, isoInstantOrNull } from '../lib/time.ts'
import type { ApiKey, AuthStore } from './auth-store.ts'
import { parseAllowedNetworks } from './key-restriction.ts'
import { grantViolation, type KeyAction, type KeyPower } from './principals.ts'

/** The secret is shown once. */
type NewKey = { readonly secret: string; readonly key: KeyWire }

export type KeyService = ReturnType<typeof keyService>
type KeyStore = Pick<AuthStore, 'keys' | 'createKey' | 'changeKey' | 'rotateKey' | 'revokeKey' | 'organizationTier'>

/** API keys of the principal's organization. A principal never grants more than it has. */
export function keyService(store: KeyStore, now: () => number = Date.now) {
  /** The key, if the principal may handle keys with its tier and rights. */
  async function requireKey(principal: Principal, id: string, action: KeyAction): Promise<ApiKey> {
    const key = (await store.keys(principal.organizationId)).find((candidate) => candidate.id === id)
    if (!key) throw unknownId('key', id)
    requireGrant(principal, key, action)
    return key
  }

  return {
    /** Newest first. */
    async list({ organizationId }: Principal): Promise<KeyWire[]> {
      const [keys, tier] = await Promise.all([store.keys(organizationId), store.organizationTier(organizationId)])
      return keys.map((key) => presentKey(key, tier, now())).reverse()
    },

    async find({ organizationId }: Principal, id: string): Promise<KeyWire> {
      const [keys, tier] = await Promise.all([store.keys(organizationId), store.organizationTier(organizationId)])
      const key = keys.find((candidate) => candidate.id === id)
      if (!key) throw unknownId('key', id)
      return presentKey(key, tier, now())
    },

    async create(principal: Principal, request: NewKeyRequest): Promise<NewKey> {
      const { organizationId, actor } = principal
      const { name, tier, rights = [], limit_per_minute: limitPerMinute = null, allowed_addresses = [] } = request
      requireGrant(principal, { tier, rights }, 'create')
      const organizationTier = await store.organizationTier(organizationId)
      if (!tierIncludes(organizationTier, tier)) {
        throw new DomainError(
          'forbidden',
          `The organization may use tiers up to ${organizationTier}.`,
          reason('tier_above_organization', { tier: organizationTier }),
        )
      }
      const newKey = {
        name,
        tier,
        expiresAt: parseExpiry(request.expires_on ?? null, now()),
        rights: [...new Set(rights)],
        limitPerMinute,
        allowedNetworks: parseAllowedNetworks(allowed_addresses),
      }
      const { secret, key } = await store.createKey(organizationId, newKey, actor, now())
      return { secret, key: presentKey(key, organizationTier, now()) }
    },

    /** Changes the given fields. */
    async change(principal: Principal, id: string, request: KeyChangeRequest): Promise<KeyWire> {
      const { organizationId, actor } = principal
      const { name, limit_per_minute, allowed_addresses } = request
      const oldKey = await requireKey(principal, id, 'change')
      const change = {
        name: name ?? oldKey.name,
        limitPerMinute: limit_per_minute === undefined ? oldKey.limitPerMinute : limit_per_minute,
        allowedNetworks: allowed_addresses ? parseAllowedNetworks(allowed_addresses) : oldKey.allowedNetworks,
      }
      const key = await store.changeKey(organizationId, id, change, actor, now())
      return presentKey(key, await store.organizationTier(organizationId), now())
    },

    async rotate(principal: Principal, id: string, overlapDays: number): Promise<NewKey> {
      const { organizationId, actor } = principal
      await requireKey(principal, id, 'rotate')
      const { secret, key } = await store.rotateKey(organizationId, id, overlapDays, actor, now())
      return { secret, key: presentKey(key, await store.organizationTier(organizationId), now()) }
    },

    revoke: ({ organizationId, actor }: Principal, id: string): Promise<void> =>
      store.revokeKey(organizationId, id, actor, now()),
  }
}

function requireGrant(principal: Principal, power: KeyPower, action: KeyAction): void {
  const violation = grantViolation(principal, power, action)
  if (violation !== undefined) throw new DomainError('forbidden', violation, reason('grant_too_wide'))
}

/** The end of the last day, which is included. */
function parseExpiry(lastDay: string | null, now: number): number | null {
  if (lastDay === null) return null
  const expiresAt = endOfDay(lastDay)
  if (expiresAt <= now) throw invalid('expires_on', lastDay, 'a day that is not over', reason('day_over'))
  return expiresAt
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
