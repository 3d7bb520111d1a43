import { DAY_MS, MINUTE_MS } from '../lib/time.ts'

export const SESSION_LIFETIME_MS = 30 * DAY_MS
/** A session nobody used for this long is over. */
export const SESSION_IDLE_TIMEOUT_MS = 7 * DAY_MS
/** How exactly it is known when a session was last used; not every click is a write. */
export const LAST_SEEN_RESOLUTION_MS = 5 * MINUTE_MS
/** How long a one-time link can be used. */
export const LINK_LIFETIME_MS = 3 * DAY_MS
/** How long somebody may take to answer a challenge. */
export const CHALLENGE_LIFETIME_MS = 10 * MINUTE_MS
/** How long wrong passwords are held against an address. */
export const ATTEMPT_LIFETIME_MS = DAY_MS
