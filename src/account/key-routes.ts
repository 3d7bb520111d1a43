import { asPerson } from '../access/actor.ts'
import { readNetworks } from '../access/restriction.ts'
import type { Key, KeyTerms } from '../access/store.ts'
import { accountBodies, type KeyState, type KeyWire } from '../contract/account.ts'
import { SOON_DAYS } from '../contract/people.ts'
import { covers, KEY_PREFIXES, type Tier } from '../contract/tiers.ts'
import { invalid } from '../errors.ts'
import { ApiError } from '../http/api-error.ts'
import { DAY_MS, endOfDay, isoInstant, isoInstantOrNull } from '../time.ts'
import type { AccountParts } from './parts.ts'
import { type AccountRoute, changes, DONE, reads } from './route.ts'

export function keyRoutes(parts: AccountParts): AccountRoute[] {
  const { accounts, access } = parts

  return [
    reads('/account/keys', 'member', async (c) => {
      const { id, tier } = c.get('organization')
      const [keys, makers] = await Promise.all([access.keys(id), accounts.keyMakers(id)])
      return { data: keys.map((key) => present(key, makers.get(key.id) ?? null, tier, c.get('facts').now)).reverse() }
    }),

    changes('/account/keys', 'owner', accountBodies.createKey, async (c, { name, tier, expires_on, ...terms }) => {
      const organization = c.get('organization')
      const person = c.get('person')
      const { now } = c.get('facts')
      if (!covers(organization.tier, tier)) {
        throw new ApiError('FORBIDDEN', `The organization may use tiers up to ${organization.tier}.`)
      }
      // The whole of the last day counts.
      const expiresAt = expires_on === null ? null : endOfDay(expires_on)
      if (expiresAt !== null && expiresAt <= now) throw invalid('expires_on', expires_on, 'a day that is not over')
      const fresh = { tier, name, expiresAt, ...readTerms(terms) }
      const { secret, key } = await access.createKey(organization.id, fresh, asPerson(person), now)
      return { data: { secret, key: present(key, person.email, organization.tier, now) } }
    }),

    changes('/account/keys/change', 'owner', accountBodies.changeKey, async (c, { id, name, ...terms }) => {
      const organization = c.get('organization')
      const { now } = c.get('facts')
      const change = { name, ...readTerms(terms) }
      const key = await access.changeKey(organization.id, id, change, asPerson(c.get('person')), now)
      const makers = await accounts.keyMakers(organization.id)
      return { data: present(key, makers.get(id) ?? null, organization.tier, now) }
    }),

    changes('/account/keys/rotate', 'owner', accountBodies.rotateKey, async (c, { id, overlap_days: overlapDays }) => {
      const organization = c.get('organization')
      const person = c.get('person')
      const { now } = c.get('facts')
      const { secret, key } = await access.rotateKey(organization.id, id, overlapDays, asPerson(person), now)
      return { data: { secret, key: present(key, person.email, organization.tier, now) } }
    }),

    changes('/account/keys/revoke', 'owner', accountBodies.revokeKey, async (c, { id }) => {
      await access.revokeKey(c.get('organization').id, id, asPerson(c.get('person')), c.get('facts').now)
      return DONE
    }),
  ]
}

type TermsSent = {
  readonly limit_per_minute?: number | null | undefined
  readonly allowed_addresses?: readonly string[] | undefined
}

function readTerms({ limit_per_minute = null, allowed_addresses = [] }: TermsSent): KeyTerms {
  return { limitPerMinute: limit_per_minute, allowedNetworks: readNetworks(allowed_addresses) }
}

function stateOf(key: Key, highest: Tier, now: number): KeyState {
  if (key.revokedAt !== null && key.revokedAt <= now) return 'revoked'
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired'
  if (!covers(highest, key.tier)) return 'blocked'
  return key.expiresAt !== null && key.expiresAt <= now + SOON_DAYS * DAY_MS ? 'ending' : 'active'
}

function present(key: Key, createdBy: string | null, highest: Tier, now: number): KeyWire {
  return {
    id: key.id,
    name: key.name,
    tier: key.tier,
    prefix: KEY_PREFIXES[key.tier],
    last_four: key.lastFour,
    state: stateOf(key, highest, now),
    created_at: isoInstant(key.createdAt),
    created_by: createdBy,
    expires_at: isoInstantOrNull(key.expiresAt),
    last_used_at: isoInstantOrNull(key.lastUsedAt),
    revoked_at: isoInstantOrNull(key.revokedAt),
    rotated_from: key.rotatedFrom,
    limit_per_minute: key.limitPerMinute,
    allowed_addresses: [...(key.allowedNetworks ?? [])],
  }
}
