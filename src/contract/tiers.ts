/** Tiers are cumulative: each may call what the ones before it may. Kept apart so that pages can have it without schemas. */
export const TIERS = ['public', 'paid', 'enterprise'] as const
export type Tier = (typeof TIERS)[number]
