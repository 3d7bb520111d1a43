import { asPerson } from '../../access/actor.ts'
import type { Key } from '../../access/store.ts'
import { accountBodies, type KeyState, type KeyWire } from '../../contract/account.ts'
import type { Tier } from '../../contract/endpoints.ts'
import { ApiError, invalid } from '../../errors.ts'
import { covers } from '../../http/route.ts'
import type { AccountParts } from '../parts.ts'
import { type AccountRoute, changes, DONE, instant, instantOrNull, reads } from '../route.ts'

const PREFIXES: Readonly<Record<Tier, string>> = { public: 'pk_pub_', paid: 'pk_paid_', enterprise: 'pk_ent_' }

export function keyRoutes(parts: AccountParts): AccountRoute[] {
  const { accounts, access } = parts

  return [
    reads('/account/keys', 'member', async ({ workplace, now }) => {
      const [keys, makers] = await Promise.all([access.keys(workplace.id), accounts.keyMakers(workplace.id)])
      return { data: keys.map((key) => present(key, makers.get(key.id) ?? null, now)).reverse() }
    }),

    changes('/account/keys', 'owner', accountBodies.createKey, async (visit, { name, tier, expires_on }) => {
      const { workplace, now } = visit
      if (!covers(workplace.tier, tier)) {
        throw new ApiError('FORBIDDEN', `The organization may use tiers up to ${workplace.tier}.`)
      }
      // The whole of the last day counts.
      const expiresAt = expires_on === null ? null : Date.parse(`${expires_on}T23:59:59.999Z`)
      if (expiresAt !== null && expiresAt <= now) throw invalid('expires_on', expires_on, 'a day that is not over')
      const fresh = { tier, name, expiresAt }
      const { secret, key } = await access.createKey(workplace.id, fresh, asPerson(visit.person), now)
      return { data: { secret, key: present(key, visit.person.email, now) } }
    }),

    changes(
      '/account/keys/rotate',
      'owner',
      accountBodies.rotateKey,
      async (visit, { id, overlap_days: overlapDays }) => {
        const { workplace, person, now } = visit
        const { secret, key } = await access.rotateKey(workplace.id, id, overlapDays, asPerson(person), now)
        return { data: { secret, key: present(key, person.email, now) } }
      },
    ),

    changes('/account/keys/revoke', 'owner', accountBodies.revokeKey, async (visit, { id }) => {
      await access.revokeKey(visit.workplace.id, id, asPerson(visit.person), visit.now)
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
    prefix: PREFIXES[key.tier],
    last_four: key.lastFour,
    state: stateOf(key, now),
    created_at: instant(key.createdAt),
    created_by: createdBy,
    expires_at: instantOrNull(key.expiresAt),
    last_used_at: instantOrNull(key.lastUsedAt),
    revoked_at: instantOrNull(key.revokedAt),
    rotated_from: key.rotatedFrom,
  }
}
