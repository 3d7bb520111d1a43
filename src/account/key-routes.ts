import { asPerson } from '../access/actor.ts'
import type { Key } from '../access/store.ts'
import { accountBodies, type KeyState, type KeyWire } from '../contract/account.ts'
import { covers, KEY_PREFIXES } from '../contract/tiers.ts'
import { invalid } from '../errors.ts'
import { ApiError } from '../http/api-error.ts'
import { endOfDay, isoInstant, isoInstantOrNull } from '../time.ts'
import type { AccountParts } from './parts.ts'
import { type AccountRoute, changes, DONE, reads } from './route.ts'

export function keyRoutes(parts: AccountParts): AccountRoute[] {
  const { accounts, access } = parts

  return [
    reads('/account/keys', 'member', async (c) => {
      const { id } = c.get('organization')
      const [keys, makers] = await Promise.all([access.keys(id), accounts.keyMakers(id)])
      return { data: keys.map((key) => present(key, makers.get(key.id) ?? null, c.get('facts').now)).reverse() }
    }),

    changes('/account/keys', 'owner', accountBodies.createKey, async (c, { name, tier, expires_on }) => {
      const organization = c.get('organization')
      const person = c.get('person')
      const { now } = c.get('facts')
      if (!covers(organization.tier, tier)) {
        throw new ApiError('FORBIDDEN', `The organization may use tiers up to ${organization.tier}.`)
      }
      // The whole of the last day counts.
      const expiresAt = expires_on === null ? null : endOfDay(expires_on)
      if (expiresAt !== null && expiresAt <= now) throw invalid('expires_on', expires_on, 'a day that is not over')
      const fresh = { tier, name, expiresAt }
      const { secret, key } = await access.createKey(organization.id, fresh, asPerson(person), now)
      return { data: { secret, key: present(key, person.email, now) } }
    }),

    changes('/account/keys/rotate', 'owner', accountBodies.rotateKey, async (c, { id, overlap_days: overlapDays }) => {
      const organization = c.get('organization')
      const person = c.get('person')
      const { now } = c.get('facts')
      const { secret, key } = await access.rotateKey(organization.id, id, overlapDays, asPerson(person), now)
      return { data: { secret, key: present(key, person.email, now) } }
    }),

    changes('/account/keys/revoke', 'owner', accountBodies.revokeKey, async (c, { id }) => {
      await access.revokeKey(c.get('organization').id, id, asPerson(c.get('person')), c.get('facts').now)
      return DONE
    }),
  ]
}

function stateOf(key: Key, now: number): KeyState {
  if (key.revokedAt !== null && key.revokedAt <= now) return 'revoked'
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired'
  return key.expiresAt !== null ? 'ending' : 'active'
}

function present(key: Key, createdBy: string | null, now: number): KeyWire {
  return {
    id: key.id,
    name: key.name,
    tier: key.tier,
    prefix: KEY_PREFIXES[key.tier],
    last_four: key.lastFour,
    state: stateOf(key, now),
    created_at: isoInstant(key.createdAt),
    created_by: createdBy,
    expires_at: isoInstantOrNull(key.expiresAt),
    last_used_at: isoInstantOrNull(key.lastUsedAt),
    revoked_at: isoInstantOrNull(key.revokedAt),
    rotated_from: key.rotatedFrom,
  }
}
