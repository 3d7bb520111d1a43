/** Tiers are cumulative: each may call what the ones before it may. Kept apart so that pages can have it without schemas. */
export const TIERS = ['public', 'paid', 'enterprise'] as const
export type Tier = (typeof TIERS)[number]

/** How a person reads a tier. */
export const TIER_NAMES: Readonly<Record<Tier, string>> = { public: 'Public', paid: 'Paid', enterprise: 'Enterprise' }

/** What a key may do beside what its tier allows. New keys have no rights unless they are given some. */
export const KEY_RIGHTS = ['contribute', 'manage', 'operate'] as const
export type KeyRight = (typeof KEY_RIGHTS)[number]

/** What each right allows. */
export const KEY_RIGHT_NAMES: Readonly<Record<KeyRight, string>> = {
  contribute: 'send price observations',
  manage: 'manage its own organization, as an owner does',
  operate: 'manage every organization and the data they share',
}

/** `operate` includes `manage`. */
export const hasRight = (rights: readonly KeyRight[], needed: KeyRight): boolean =>
  rights.includes(needed) || (needed === 'manage' && rights.includes('operate'))

/** What a key of each tier begins with. */
export const KEY_PREFIXES: Readonly<Record<Tier, string>> = {
  public: 'pk_pub_',
  paid: 'pk_paid_',
  enterprise: 'pk_ent_',
}

export function tierIncludes(held: Tier, needed: Tier): boolean {
  return held === needed || TIERS.indexOf(held) > TIERS.indexOf(needed)
}
