/** Roles in an organization, from most to least rights; each includes the rights of those after it. */
export const MEMBER_ROLES = ['owner', 'manager', 'clerk'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** Reads a stored role; an unknown one gets the fewest rights. */
export const parseRole = (text: string): MemberRole => MEMBER_ROLES.find((role) => role === text) ?? 'clerk'

/** Whether `role` has at least the rights of `needed`. */
export const roleIncludes = (role: MemberRole, needed: MemberRole) =>
  MEMBER_ROLES.indexOf(role) <= MEMBER_ROLES.indexOf(needed)

export const MIN_PASSWORD_LENGTH = 10
export const MAX_PASSWORD_LENGTH = 200
export const MAX_OVERLAP_DAYS = 30
export const MAX_KEY_LIMIT = 9_999_999
/** A key that ends within so many days is shown as ending soon. */
export const KEY_EXPIRY_WARNING_DAYS = 14
/** Records of a history that numbered pages reach: a page reads all rows before it, `after` does not. */
export const MAX_NUMBERED_ROWS = 10_000

/** When sessions end, as an organization may set it. */
export const SESSION_LIMITS = {
  idle_days: { default: 30, max: 90 },
  days: { default: 90, max: 90 },
  shop_device_hours: { default: 12, max: 2_160 },
} as const
