import type { CachedKey } from '../auth/auth-store.ts'
import type { KeyCache } from '../auth/key-cache.ts'
import { restrictionViolation } from '../auth/key-restriction.ts'
import { addressLimitKey } from '../auth/rate-limit/address-key.ts'
import type { LocalRateLimiter, RateLimitDecision, RateLimiter } from '../auth/rate-limit/rate-limiter.ts'
import { TIER_NAMES, type Tier } from '../contract/tiers.ts'
import { ApiError } from './api-error.ts'
import { parseBearerToken } from './bearer-token.ts'
import type { AuthenticatedCaller, HttpContext } from './context.ts'

export type AuthenticationDependencies = {
  readonly keyCache: KeyCache
  readonly limiter: RateLimiter
  /** Counts requests without a valid key by address; always in this process, before any other work. */
  readonly addressLimiter: LocalRateLimiter
  readonly limitsPerMinute: Readonly<Record<Tier | 'address', number>>
  readonly addressOf: (c: HttpContext) => string
}

/** The key of the request, from memory or from the database; undefined if it has no valid one. */
export function findKey(
  dependencies: AuthenticationDependencies,
  c: HttpContext,
): CachedKey | undefined | Promise<CachedKey | undefined> {
  const secret = parseBearerToken(c.req.raw.headers.get('authorization'))
  if (secret === undefined) return undefined
  return dependencies.keyCache.find(secret, c.get('facts').now, () => limitUnknownKeys(dependencies, c))
}

/** Throws unless there is a key that may be used from the address of the request. */
export function requireUsableKey(
  dependencies: AuthenticationDependencies,
  c: HttpContext,
  key: CachedKey | undefined,
): CachedKey {
  if (!key) {
    const decision = takeFromAddressLimit(dependencies, c)
    throw decision.allowed ? unauthorizedError() : rateLimitError(decision, KEYLESS_REQUESTS)
  }
  c.get('facts').key = key
  if (key.restriction === null) return key
  const violation = restrictionViolation(key.restriction, key.tier, dependencies.addressOf(c))
  if (violation === undefined) return key
  // Not from the key's limit: a stranger with a stolen key must not use up its owner's requests.
  const decision = takeFromAddressLimit(dependencies, c)
  c.get('facts').rateLimit = decision
  throw decision.allowed ? new ApiError('FORBIDDEN', violation) : rateLimitError(decision, KEYLESS_REQUESTS)
}

const KEYLESS_REQUESTS = 'requests without a valid API key from this address'

/**
 * Called before an unknown key is looked up in the database. An address that sent too many gets 429, not 401: one of them
 * may be a valid key that could not be looked up while the database was away.
 */
function limitUnknownKeys(dependencies: AuthenticationDependencies, c: HttpContext): void {
  const decision = takeFromAddressLimit(dependencies, c, 'unknown key ')
  if (!decision.allowed) throw rateLimitError(decision, KEYLESS_REQUESTS)
}

/** Counts a request against its address; `prefix` names a separate count. */
function takeFromAddressLimit(
  { addressLimiter, addressOf, limitsPerMinute }: AuthenticationDependencies,
  c: HttpContext,
  prefix = '',
): RateLimitDecision {
  const address = addressLimitKey(addressOf(c))
  return addressLimiter.take(`${prefix}${address}`, limitsPerMinute.address, 1, c.get('facts').now)
}

/**
 * Without a limit of its organization a key has the limit of its tier, or its own if that is lower. An organization's
 * limit replaces the tier's and is shared by all of its keys; a key's own limit then applies on top.
 */
export function takeFromLimits(
  { limiter, limitsPerMinute }: AuthenticationDependencies,
  { id, organizationId, tier, limitPerMinute, ownLimitPerMinute }: CachedKey,
  cost: number,
  now: number,
): RateLimitDecision | Promise<RateLimitDecision> {
  if (limitPerMinute === null) {
    return limiter.take(id, Math.min(limitsPerMinute[tier], ownLimitPerMinute ?? Number.POSITIVE_INFINITY), cost, now)
  }
  const takeShared = () => limiter.take(organizationId, limitPerMinute, cost, now)
  if (ownLimitPerMinute === null || ownLimitPerMinute >= limitPerMinute) return takeShared()
  return takeFromKeyAndOrganization(limiter.take(id, ownLimitPerMinute, cost, now), takeShared)
}

/** The key first: requests beyond its own limit must not use up what the organization's other keys share. */
async function takeFromKeyAndOrganization(
  ownDecision: RateLimitDecision | Promise<RateLimitDecision>,
  takeShared: () => RateLimitDecision | Promise<RateLimitDecision>,
): Promise<RateLimitDecision> {
  const own = await ownDecision
  if (!own.allowed) return own
  const shared = await takeShared()
  return shared.allowed && own.remaining < shared.remaining ? own : shared
}

/** The same text for every reason, so that callers cannot probe which keys exist. */
function unauthorizedError(): ApiError {
  return new ApiError('UNAUTHORIZED', 'A valid API key is needed: send it as "Authorization: Bearer <API_KEY>".', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
}

export function callerLimitError(decision: RateLimitDecision, { key, session }: AuthenticatedCaller): ApiError {
  const { tier, limitPerMinute, ownLimitPerMinute } = key
  if (session) return rateLimitError(decision, "requests per minute of your organization's members")
  if (decision.limit === ownLimitPerMinute) return rateLimitError(decision, 'requests per minute of this key')
  const subject = limitPerMinute === null ? `a ${TIER_NAMES[tier]} key` : 'your organization'
  return rateLimitError(decision, `requests per minute of ${subject}`)
}

/** The one text of a 429; `limited` names what is limited, such as `requests per minute of this key`. */
function rateLimitError(decision: RateLimitDecision, limited: string): ApiError {
  const seconds = decision.retryAfterSeconds
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `The limit of ${decision.limit} ${limited} is reached. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
    { headers: { 'Retry-After': String(seconds) } },
  )
}
