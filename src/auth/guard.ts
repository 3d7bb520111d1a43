import type { MemberRole } from '../contract/account-limits.ts'
import { TIER_NAMES, type Tier } from '../contract/tiers.ts'
import type { Guard, RateLimitDecision } from '../http/admission.ts'
import { ApiError, rateLimitError } from '../http/api-error.ts'
import { parseBearerToken } from '../http/bearer-token.ts'
import type { HttpContext } from '../http/context.ts'
import type { Principal } from '../http/principal.ts'
import { isSameOrigin } from '../http/same-origin.ts'
import { unknownId } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { personActor } from './actor.ts'
import type { CachedKey } from './auth-store.ts'
import type { KeyCache } from './key-cache.ts'
import { restrictionViolation } from './key-restriction.ts'
import { type KeyPrincipal, keyPrincipal } from './principals.ts'
import { addressLimiterOn } from './rate-limit/address-limiter.ts'
import type { LocalRateLimiter, RateLimiter } from './rate-limit/rate-limiter.ts'

/** Fast clicking stays far below it. */
const ACCOUNT_REQUESTS_PER_MINUTE = 600
/** Our pages send it with every request; a form or a link of another site cannot. */
const PAGE_HEADER = 'x-requested-with'
const PAGE_HEADER_VALUE = 'dashboard'

/** The account of a session with what it may do in its organization. */
export type SessionAccount = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly organizationId: string
  readonly role: MemberRole
  /** Highest tier of the organization. */
  readonly tier: Tier
  /** Requests per minute that all members of the organization share. */
  readonly membersLimitPerMinute: number
  /** Whether it is an owner of the organization that runs the service. */
  readonly operates: boolean
  readonly seesMargins: boolean
  /** Name of the shop device of the session; null elsewhere. */
  readonly device: string | null
  /** Whether the organization requires a second factor that the account does not have. */
  readonly lacksSecondFactor: boolean
}

export type GuardDependencies = {
  readonly keyCache: KeyCache
  readonly limiter: RateLimiter
  /** Counts requests without a valid key or session by address; always in this process, before any other work. */
  readonly addressLimiter: LocalRateLimiter
  readonly limitsPerMinute: Readonly<Record<Tier | 'address', number>>
  readonly addressOf: (c: HttpContext) => string
  readonly onKeyUsed: (key: CachedKey, now: number) => void
  /** The well-formed session token in the cookie of a request. */
  readonly readSessionToken: (c: HttpContext) => string | undefined
  readonly findSession: (token: string, now: number) => Promise<SessionAccount | undefined>
  readonly ownOrigin: () => string
  /** Highest tier of an organization; undefined if it does not exist. */
  readonly findOrganizationTier: (organizationId: string) => Promise<Tier | undefined>
}

type PersonPrincipal = Principal & { readonly membersLimitPerMinute: number }

export function createGuard(dependencies: GuardDependencies): Guard {
  const { keyCache, limiter, addressLimiter, limitsPerMinute, addressOf } = dependencies
  const addresses = addressLimiterOn(addressLimiter)

  /** Counts a request against its address; `kind` names a separate count. */
  function takeFromAddressLimit(c: HttpContext, kind = 'request'): RateLimitDecision {
    return addresses.take(addressOf(c), kind, limitsPerMinute.address, c.get('facts').now)
  }

  /**
   * Called before an unknown key is looked up in the database. An address that sent too many gets 429, not 401: one of
   * them may be a valid key that could not be looked up while the database was away.
   */
  function limitUnknownKeys(c: HttpContext): void {
    const decision = takeFromAddressLimit(c, 'unknown key')
    if (!decision.allowed) throw rateLimitError(decision, ANONYMOUS_REQUESTS)
  }

  function rejectAnonymous(c: HttpContext): never {
    const decision = takeFromAddressLimit(c)
    throw decision.allowed ? unauthorizedError() : rateLimitError(decision, ANONYMOUS_REQUESTS)
  }

  function toKeyPrincipal(c: HttpContext, key: CachedKey | undefined): Principal {
    if (!key) return rejectAnonymous(c)
    const { now } = c.get('facts')
    const principal = keyPrincipal(key)
    c.get('facts').principal = principal
    const violation = key.restriction && restrictionViolation(key.restriction, key.tier, addressOf(c))
    if (violation) {
      // Not from the key's limit: a stranger with a stolen key must not use up its owner's requests.
      const decision = takeFromAddressLimit(c)
      c.get('facts').rateLimit = decision
      throw decision.allowed
        ? new ApiError('FORBIDDEN', violation, reason('key_restricted'))
        : rateLimitError(decision, ANONYMOUS_REQUESTS)
    }
    dependencies.onKeyUsed(key, now)
    return principal
  }

  /** Whether the request comes from a page of ours: a cookie alone proves nothing, because browsers always send it. */
  function isFromOwnPage(c: HttpContext): boolean {
    const { headers } = c.req.raw
    if (headers.get(PAGE_HEADER) !== PAGE_HEADER_VALUE) return false
    const host = headers.get('host')
    return isSameOrigin(headers, [dependencies.ownOrigin(), `http://${host}`, `https://${host}`])
  }

  async function authenticateSession(c: HttpContext, token: string): Promise<Principal> {
    const account = await dependencies.findSession(token, c.get('facts').now)
    if (!account) return rejectAnonymous(c)
    const principal = personPrincipal(account)
    c.get('facts').principal = principal
    return principal
  }

  return {
    authenticate(c) {
      const authorization = c.req.raw.headers.get('authorization')
      if (authorization === null) {
        const token = dependencies.readSessionToken(c)
        return token !== undefined && isFromOwnPage(c) ? authenticateSession(c, token) : rejectAnonymous(c)
      }
      const secret = parseBearerToken(authorization)
      if (secret === undefined) return rejectAnonymous(c)
      const key = keyCache.find(secret, c.get('facts').now, () => limitUnknownKeys(c))
      return key instanceof Promise ? key.then((stored) => toKeyPrincipal(c, stored)) : toKeyPrincipal(c, key)
    },

    takeFromLimit(principal, cost, isMetered, now) {
      if (isKeyPrincipal(principal)) return takeFromKeyLimits(limiter, limitsPerMinute, principal.key, cost, now)
      if (!isPersonPrincipal(principal)) return null
      if (!isMetered) return addressLimiter.take(`account ${principal.id}`, ACCOUNT_REQUESTS_PER_MINUTE, cost, now)
      return limiter.take(`members of ${principal.organizationId}`, principal.membersLimitPerMinute, cost, now)
    },

    limitedSubject(principal, { limit }) {
      if (!isKeyPrincipal(principal)) {
        return limit === ACCOUNT_REQUESTS_PER_MINUTE
          ? 'requests per minute of your account'
          : "requests per minute of your organization's members"
      }
      const { tier, limitPerMinute, ownLimitPerMinute } = principal.key
      if (limit === ownLimitPerMinute) return 'requests per minute of this key'
      return `requests per minute of ${limitPerMinute === null ? `a ${TIER_NAMES[tier]} key` : 'your organization'}`
    },

    async actFor(principal, organizationId) {
      if (organizationId === principal.organizationId) return principal
      // Another organization is NOT_FOUND without the right to operate, so that callers cannot probe for ids.
      const tier = principal.operates ? await dependencies.findOrganizationTier(organizationId) : undefined
      if (tier === undefined) throw unknownId('organization', organizationId)
      return { ...principal, organizationId, tier }
    },
  }
}

const ANONYMOUS_REQUESTS = 'requests without a valid API key from this address'

const isKeyPrincipal = (principal: Principal): principal is KeyPrincipal => principal.kind === 'key'
const isPersonPrincipal = (principal: Principal): principal is PersonPrincipal => principal.kind === 'person'

function personPrincipal(account: SessionAccount): PersonPrincipal {
  const {
    id,
    name,
    email,
    organizationId,
    role,
    tier,
    operates,
    seesMargins,
    lacksSecondFactor,
    membersLimitPerMinute,
    device,
  } = account
  return {
    kind: 'person',
    id,
    // Records say who made them, also for a person who gave no name.
    name: name || email,
    ...(device === null ? {} : { device }),
    organizationId,
    tier,
    rights: [],
    role,
    operates,
    actor: personActor(account),
    seesMargins,
    lacksSecondFactor,
    membersLimitPerMinute,
  }
}

/**
 * Without a limit of its organization a key has the limit of its tier, or its own if that is lower. An organization's
 * limit replaces the tier's and is shared by all of its keys; a key's own limit then applies on top.
 */
function takeFromKeyLimits(
  limiter: RateLimiter,
  limitsPerMinute: Readonly<Record<Tier, number>>,
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
  return new ApiError(
    'UNAUTHORIZED',
    'A valid API key is needed: send it as "Authorization: Bearer <API_KEY>".',
    reason('sign_in_needed'),
    {
      headers: { 'WWW-Authenticate': 'Bearer' },
    },
  )
}
