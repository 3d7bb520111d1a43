export const ROLES = ['owner', 'member'] as const
export type Role = (typeof ROLES)[number]

export const LEAST_PASSWORD_LENGTH = 10
export const MOST_PASSWORD_LENGTH = 200
export const MOST_OVERLAP_DAYS = 30
export const MOST_KEY_LIMIT = 9_999_999
/** A key that ends within so many days is shown as ending soon. */
export const SOON_DAYS = 14
