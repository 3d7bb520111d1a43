export const ROLES = ['owner', 'member'] as const
export type Role = (typeof ROLES)[number]

export const LEAST_PASSWORD_LENGTH = 10
export const MOST_PASSWORD_LENGTH = 200
export const MOST_OVERLAP_DAYS = 30
