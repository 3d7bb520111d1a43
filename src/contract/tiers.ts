/** Tiers are cumulative. This file imports no schemas, so that pages can use it. */
export const TIERS = ['public', 'paid', 'enterprise'] as const
export type Tier = (typeof TIERS)[number]

export const TIER_NAMES: Readonly<Record<Tier, string>> = { public: 'Public', paid: 'Paid', enterprise: 'Enterprise' }

/** Rights of a key beside its tier; a new key has none by default. */
export const KEY_RIGHTS = ['contribute', 'manage', 'operate'] as const
export type KeyRight = (typeof KEY_RIGHTS)[number]

export const KEY_RIGHT_NAMES: Readonly<Record<KeyRight, string>> = {
  contribute: 'send price observations',
  manage: 'manage its own organization, as an owner does',
  operate: 'manage every organization and the data they share',
}

/** `operate` includes `manage`. */
export const hasRight = (rights: readonly KeyRight[], needed: KeyRight): boolean =>
  rights.includes(needed) || (needed === 'manage' && rights.includes('operate'))

export const KEY_PREFIXES: Readonly<Record<Tier, string>> = {
  public: 'pk_pub_',
  paid: 'pk_paid_',
  enterprise: 'pk_ent_',
}

const TIER_RANKS: Readonly<Record<Tier, number>> = { public: 0, paid: 1, enterprise: 2 }

export function tierIncludes(held: Tier, needed: Tier): boolean {
  return TIER_RANKS[held] >= TIER_RANKS[needed]
}
