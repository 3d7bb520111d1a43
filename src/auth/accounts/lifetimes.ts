import { SESSION_LIMITS } from '../../contract/account-limits.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts'

/** No session is longer, whatever an organization sets. */
export const SESSION_LIFETIME_MS = SESSION_LIMITS.days.max * DAY_MS

type StoredSessionLimits = {
  readonly session_idle_days: number | null
  readonly session_days: number | null
  readonly shop_device_hours: number | null
}

/** When sessions of an organization end: without use, at the latest, and without use on a shop device. */
export const sessionLimits = (organization: StoredSessionLimits) => ({
  idle_days: organization.session_idle_days ?? SESSION_LIMITS.idle_days.default,
  days: organization.session_days ?? SESSION_LIMITS.days.default,
  shop_device_hours: organization.shop_device_hours ?? SESSION_LIMITS.shop_device_hours.default,
})

/** Columns by which `isSessionOver` decides. */
export const SESSION_LIMIT_COLUMNS = [
  'session.created_at as session_created_at',
  'session.seen_at as seen_at',
  'session.shop_device as shop_device',
  'organization.session_idle_days as session_idle_days',
  'organization.session_days as session_days',
  'organization.shop_device_hours as shop_device_hours',
] as const

export function isSessionOver(
  session: StoredSessionLimits & {
    readonly session_created_at: number
    readonly seen_at: number
    readonly shop_device: string | null
  },
  now: number,
): boolean {
  const limits = sessionLimits(session)
  const idleMs = session.shop_device === null ? limits.idle_days * DAY_MS : limits.shop_device_hours * HOUR_MS
  return session.seen_at <= now - idleMs || session.session_created_at <= now - limits.days * DAY_MS
}

/** Precision of the last use of a session; not every click is a write. */
export const LAST_SEEN_RESOLUTION_MS = 5 * MINUTE_MS
/** Validity of a one-time link. */
export const LINK_LIFETIME_MS = 3 * DAY_MS
/** Validity of a challenge. */
export const CHALLENGE_LIFETIME_MS = 10 * MINUTE_MS
/** How long failed sign-ins of an address are remembered. */
export const ATTEMPT_LIFETIME_MS = DAY_MS
