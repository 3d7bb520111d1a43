import { KEY_RIGHTS, type KeyRight, TIER_NAMES, type Tier, tierIncludes } from '../contract/tiers.ts'
import { type Actor, keyActor, personActor } from './actor.ts'
import type { CachedKey } from './auth-store.ts'

/** Who sends a management request: a person with a session, an API key with the right to manage or operate, or a command. */
export type Principal = {
  /** Id of the person or of the key. */
  readonly id: string
  /** The name in the audit trail. */
  readonly actor: Actor
  /** Null for a person. */
  readonly key: CachedKey | null
  /** Whether it may act for every organization and on data that all of them share. */
  readonly operatesService: boolean
}

export const personPrincipal = (person: { readonly id: string; readonly email: string }): Principal => ({
  id: person.id,
  actor: personActor(person),
  key: null,
  operatesService: false,
})

export const keyPrincipal = (key: CachedKey): Principal => ({
  id: key.id,
  actor: keyActor(key.id, key.name),
  key,
  operatesService: key.rights.includes('operate'),
})

/** A person with a shell on the machine of the database. */
export const commandPrincipal = (actor: Actor): Principal => ({
  id: 'command line',
  actor,
  key: null,
  operatesService: true,
})

/** Rights that an owner may give to keys in the dashboard; an owner of the operator may give all of them. */
const OWNER_GRANTS: readonly KeyRight[] = ['manage']
/** Rights of keys that an owner may change and rotate: a new secret must not give an owner more than an owner has. */
const OWNER_HANDLES: readonly KeyRight[] = ['contribute', 'manage']

/** What a key allows its holder. */
type KeyPower = { readonly tier: Tier; readonly rights: readonly KeyRight[] }

/**
 * Why the principal may not create, change or rotate a key with this power; undefined if it may. A key never yields a key
 * with a higher tier or more rights than its own. `runsService`: the organization runs the service.
 */
export function grantViolation(
  { key }: Principal,
  power: KeyPower,
  action: 'create' | 'change' | 'rotate',
  runsService: boolean,
): string | undefined {
  if (key === null) {
    const allowed = runsService ? KEY_RIGHTS : action === 'create' ? OWNER_GRANTS : OWNER_HANDLES
    const missing = power.rights.find((right) => !allowed.includes(right))
    return missing && `A key with the right to ${missing} is issued by the operator of the service.`
  }
  if (!tierIncludes(key.tier, power.tier)) {
    return `Your key is of the ${TIER_NAMES[key.tier]} tier and cannot ${action} a key of the ${TIER_NAMES[power.tier]} tier.`
  }
  const ownRights = key.rights.includes('operate') ? KEY_RIGHTS : key.rights
  const missing = power.rights.find((right) => !ownRights.includes(right))
  return missing && `Your key has no right to ${missing} and cannot ${action} a key that has it.`
}
