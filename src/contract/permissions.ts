import { type MemberRole, roleIncludes } from './account-limits.ts'
import { hasRight, type KeyRight, type Tier, tierIncludes } from './tiers.ts'

/** What a caller needs for a permission: the tier always, a right with a key, a role with a session. */
export type PermissionRule = {
  readonly tier: Tier
  /** Right of a key beside its tier; absent if the tier is enough. */
  readonly right?: KeyRight
  /** Role of a person; `operator`: an owner of the organization that runs the service. */
  readonly role: MemberRole | 'operator'
}

/** Who may do what. Every endpoint names one of these; some handlers ask for further ones. */
export const PERMISSIONS = {
  'catalogue:read': { tier: 'public', role: 'clerk' },
  'prices:read': { tier: 'paid', role: 'clerk' },
  'prices:contribute': { tier: 'public', right: 'contribute', role: 'operator' },
  'repairs:read': { tier: 'paid', role: 'clerk' },
  'lookups:read': { tier: 'enterprise', role: 'clerk' },
  'lookups:write': { tier: 'enterprise', role: 'clerk' },
  'lookups:export': { tier: 'enterprise', role: 'manager' },
  'appraisals:read': { tier: 'paid', role: 'clerk' },
  'appraisals:write': { tier: 'paid', role: 'clerk' },
  'appraisals:export': { tier: 'paid', role: 'manager' },
  'appraisals:batch': { tier: 'paid', role: 'manager' },
  'policy:override': { tier: 'paid', role: 'manager' },
  /** Offers and purchases above the calculated maximum, and devices whose identifier is in stock. */
  'offers:approve': { tier: 'paid', right: 'manage', role: 'manager' },
  'outcomes:write': { tier: 'paid', role: 'clerk' },
  'outcomes:batch': { tier: 'paid', role: 'manager' },
  'stock:read': { tier: 'paid', role: 'clerk' },
  'stock:write': { tier: 'paid', role: 'clerk' },
  'quotes:read': { tier: 'paid', role: 'clerk' },
  'quotes:write': { tier: 'paid', role: 'clerk' },
  'sellers:read': { tier: 'paid', right: 'manage', role: 'manager' },
  'sellers:correct': { tier: 'paid', right: 'manage', role: 'manager' },
  'sellers:erase': { tier: 'paid', right: 'manage', role: 'owner' },
  'reports:read': { tier: 'paid', role: 'clerk' },
  'watches:read': { tier: 'enterprise', role: 'clerk' },
  'watches:write': { tier: 'enterprise', role: 'clerk' },
  'events:read': { tier: 'enterprise', role: 'manager' },
  'usage:read': { tier: 'public', role: 'manager' },

  'organization:read': { tier: 'public', right: 'manage', role: 'clerk' },
  'settings:read': { tier: 'public', right: 'manage', role: 'manager' },
  'settings:write': { tier: 'public', right: 'manage', role: 'owner' },
  'policy:read': { tier: 'public', right: 'manage', role: 'manager' },
  'policy:write': { tier: 'public', right: 'manage', role: 'owner' },
  'members:read': { tier: 'public', right: 'manage', role: 'manager' },
  'members:write': { tier: 'public', right: 'manage', role: 'owner' },
  'audit:read': { tier: 'public', right: 'manage', role: 'manager' },
  'keys:read': { tier: 'public', right: 'manage', role: 'manager' },
  'keys:write': { tier: 'public', right: 'manage', role: 'owner' },
  'webhooks:read': { tier: 'public', right: 'manage', role: 'manager' },
  'webhooks:write': { tier: 'public', right: 'manage', role: 'owner' },
  'imports:read': { tier: 'public', right: 'manage', role: 'owner' },
  'service:operate': { tier: 'public', right: 'operate', role: 'operator' },
} as const satisfies Record<string, PermissionRule>

export type Permission = keyof typeof PERMISSIONS

/** What a principal holds: rights if it is a key, a role if it is a person, everything if it is a command. */
export type Powers = {
  readonly tier: Tier
  readonly rights: readonly KeyRight[]
  readonly role: MemberRole | null
  /** Whether it may act for every organization and on data that all of them share. */
  readonly operates: boolean
}

export type Denial = { readonly tier: Tier } | { readonly right: KeyRight } | { readonly role: MemberRole | 'operator' }

/** Why the powers do not include the permission; undefined if they do. */
export function findDenial(powers: Powers, permission: Permission): Denial | undefined {
  const { tier, right, role }: PermissionRule = PERMISSIONS[permission]
  if (!tierIncludes(powers.tier, tier)) return { tier }
  if (powers.role === null) return right && !powers.operates && !hasRight(powers.rights, right) ? { right } : undefined
  if (role === 'operator') return powers.operates ? undefined : { role }
  return roleIncludes(powers.role, role) ? undefined : { role }
}
