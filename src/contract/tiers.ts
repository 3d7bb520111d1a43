/** Tiers are cumulative: each may call what the ones before it may. Kept apart so that pages can have it without schemas. */
export const TIERS = ['public', 'paid', 'enterprise'] as const
export type Tier = (typeof TIERS)[number]

/** How a person reads a tier. */
export const TIER_NAMES: Readonly<Record<Tier, string>> = { public: 'Public', paid: 'Paid', enterprise: 'Enterprise' }

/** What a key may do only when the operator gave it the right, whatever its tier. */
export const KEY_RIGHTS = ['contribute'] as const
export type KeyRight = (typeof KEY_RIGHTS)[number]

/** What a key of each tier begins with. */
export const KEY_PREFIXES: Readonly<Record<Tier, string>> = {
  public: 'pk_pub_',
  paid: 'pk_paid_',
  enterprise: 'pk_ent_',
}

export function tierIncludes(held: Tier, needed: Tier): boolean {
  return held === needed || TIERS.indexOf(held) > TIERS.indexOf(needed)
}
