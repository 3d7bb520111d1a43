import type { HttpContext } from './context.ts'
import type { Principal } from './principal.ts'

/** The decision about one request, in the units of its headers. */
export type RateLimitDecision = {
  readonly allowed: boolean
  readonly limit: number
  /** Requests that would still be allowed right now. */
  readonly remaining: number
  /** When the oldest counted requests expire; if rejected, when this request would pass. */
  readonly resetAtEpochSeconds: number
  /** 0 when allowed. Waiting exactly this long succeeds, one second less does not. */
  readonly retryAfterSeconds: number
}

/** The one way in: turns a key or a session into a principal. Results are promises only if they must be. */
export type Guard = {
  /** The sender of a request; throws UNAUTHORIZED, or RATE_LIMIT_EXCEEDED after too many attempts of an address. */
  authenticate(c: HttpContext): Principal | Promise<Principal>
  /** Counts `cost` requests against the limit of the principal; null if this request has no limit of its own. */
  takeFromLimit(
    principal: Principal,
    cost: number,
    isMetered: boolean,
    now: number,
  ): RateLimitDecision | null | Promise<RateLimitDecision | null>
  /** What the limit that rejected a request applies to, such as `requests per minute of this key`. */
  limitedSubject(principal: Principal, decision: RateLimitDecision): string
  /** The principal acting for another organization; NOT_FOUND unless it operates the service. */
  actFor(principal: Principal, organizationId: string): Promise<Principal>
}
