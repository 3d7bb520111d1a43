import { KEY_RIGHTS, type KeyRight, TIER_NAMES, type Tier, tierIncludes } from '../contract/tiers.ts'
import type { Principal } from '../http/principal.ts'
import { type Actor, keyActor } from './actor.ts'
import type { CachedKey } from './auth-store.ts'

export type KeyPrincipal = Principal & { readonly key: CachedKey }

const principalsOfKeys = new WeakMap<CachedKey, KeyPrincipal>()

/** The principal of a key, created once per version of the key: it is needed for every request. */
export function keyPrincipal(key: CachedKey): KeyPrincipal {
  const existing = principalsOfKeys.get(key)
  if (existing) return existing
  const principal: KeyPrincipal = {
    kind: 'key',
    id: key.id,
    name: key.name,
    organizationId: key.organizationId,
    tier: key.tier,
    rights: key.rights,
    role: null,
    operates: key.rights.includes('operate'),
    actor: keyActor(key.id, key.name),
    seesMargins: true,
    lacksSecondFactor: false,
    key,
  }
  principalsOfKeys.set(key, principal)
  return principal
}

/** A person with a shell on the machine of the database. */
export const commandPrincipal = (actor: Actor, organizationId: string): Principal => ({
  kind: 'command',
  id: 'command line',
  name: 'command line',
  organizationId,
  tier: 'enterprise',
  rights: KEY_RIGHTS,
  role: null,
  operates: true,
  actor,
  seesMargins: true,
  lacksSecondFactor: false,
})

/** Rights that an owner may give to keys in the dashboard; an owner of the operator may give all of them. */
const OWNER_GRANTS: readonly KeyRight[] = ['manage']
/** Rights of keys that an owner may change and rotate: a new secret must not give an owner more than an owner has. */
const OWNER_HANDLES: readonly KeyRight[] = ['contribute', 'manage']

/** What a key allows its holder. */
export type KeyPower = { readonly tier: Tier; readonly rights: readonly KeyRight[] }

export type KeyAction = 'create' | 'change' | 'rotate'

/**
 * Why the principal may not create, change or rotate a key with this power; undefined if it may. A key never yields a key
 * with a higher tier or more rights than its own.
 */
export function grantViolation(principal: Principal, power: KeyPower, action: KeyAction): string | undefined {
  if (principal.kind !== 'key') {
    const allowed = principal.operates ? KEY_RIGHTS : action === 'create' ? OWNER_GRANTS : OWNER_HANDLES
    const missing = power.rights.find((right) => !allowed.includes(right))
    return missing && `A key with the right to ${missing} is issued by the operator of the service.`
  }
  if (!tierIncludes(principal.tier, power.tier)) {
    return `Your key is of the ${TIER_NAMES[principal.tier]} tier and cannot ${action} a key of the ${TIER_NAMES[power.tier]} tier.`
  }
  const ownRights = principal.operates ? KEY_RIGHTS : principal.rights
  const missing = power.rights.find((right) => !ownRights.includes(right))
  return missing && `Your key has no right to ${missing} and cannot ${action} a key that has it.`
}
