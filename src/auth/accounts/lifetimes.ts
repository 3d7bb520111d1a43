import { DAY_MS, MINUTE_MS } from '../../lib/time.ts'

export const SESSION_LIFETIME_MS = 90 * DAY_MS
/** An unused session expires after this time. */
export const SESSION_IDLE_TIMEOUT_MS = 30 * DAY_MS
/** Precision of the last use of a session; not every click is a write. */
export const LAST_SEEN_RESOLUTION_MS = 5 * MINUTE_MS
/** Validity of a one-time link. */
export const LINK_LIFETIME_MS = 3 * DAY_MS
/** Validity of a challenge. */
export const CHALLENGE_LIFETIME_MS = 10 * MINUTE_MS
/** How long failed sign-ins of an address are remembered. */
export const ATTEMPT_LIFETIME_MS = DAY_MS
