import type { CachedKey } from '../auth/auth-store.ts'
import type { KeyCache } from '../auth/key-cache.ts'
import { type KeyRestriction, restrictionViolation } from '../auth/key-restriction.ts'
import { addressLimitKey } from '../auth/rate-limit/address-key.ts'
import type { LocalRateLimiter, RateLimitDecision, RateLimiter } from '../auth/rate-limit/rate-limiter.ts'
import { requiredTier } from '../contract/endpoints.ts'
import { hasRight, type KeyRight, TIER_NAMES, type Tier, tierIncludes } from '../contract/tiers.ts'
import { dayOf, nextMonthAt } from '../lib/time.ts'
import { parseOrThrow } from '../lib/validate.ts'
import { ApiError } from './api-error.ts'
import { parseBearerToken } from './bearer-token.ts'
import type { ApiRoute, AuthenticatedCaller, HandlerResult, HttpContext } from './context.ts'
import { readJsonBody } from './json-body.ts'
import type { LoadShedding } from './load-shedding/load-shedding.ts'
import { type QueryParser, queryParser } from './query-parser.ts'
import { successResponse } from './response.ts'

/** Dependencies of every `/api` route. */
export type ApiDependencies = {
  readonly keyCache: KeyCache
  readonly limiter: RateLimiter
  /** Counts requests without a valid key by address; always in this process, before any other work. */
  readonly addressLimiter: LocalRateLimiter
  readonly limitsPerMinute: Readonly<Record<Tier | 'address', number>>
  readonly addressOf: (c: HttpContext) => string
  readonly onKeyUsed: (key: CachedKey, now: number) => void
  /** Whether the organization has used up a hard monthly quota. */
  readonly isQuotaExhausted: (organizationId: string) => boolean
  /** Throws if the database has been away too long to know whether the key was revoked. */
  readonly checkRevocationsFresh: (kind: 'read' | 'write') => void
  readonly loadShedding: Pick<LoadShedding, 'rejection' | 'receive' | 'run'>
  /** Rethrows an error; one that means the database is away becomes `unavailable`. */
  readonly rethrowDatabaseError: (error: unknown) => never
}

/**
 * The handler of one endpoint in stages: find the key, take from the limit, authorize, validate, handle, respond. Stages
 * are plain calls that return a promise only if they must: a read from memory needs none.
 */
export function apiHandler(
  dependencies: ApiDependencies,
  route: ApiRoute,
): (c: HttpContext) => Response | Promise<Response> {
  const { endpoint } = route
  const parseQuery = queryParser(endpoint.query, route.acceptsParameter)
  return (c) => {
    const { authenticated } = c.env
    if (authenticated) {
      c.get('facts').key = authenticated.key
      return authorizeAndHandle(dependencies, route, parseQuery, c, authenticated)
    }
    // Before the key: under overload the cost of a rejection decides how many requests can be served.
    if (endpoint.body) rejectOverload(dependencies)
    const key = findKey(dependencies, c)
    if (key instanceof Promise) {
      return key.then(
        (cachedKey) => authenticateAndLimit(dependencies, route, parseQuery, c, cachedKey),
        dependencies.rethrowDatabaseError,
      )
    }
    return authenticateAndLimit(dependencies, route, parseQuery, c, key)
  }
}

/** The handler of one endpoint for callers with a session, at a path of its own. */
export function sessionHandler(dependencies: ApiDependencies, route: ApiRoute) {
  const { endpoint } = route
  const parseQuery = queryParser(endpoint.query, route.acceptsParameter)
  return (c: HttpContext, caller: AuthenticatedCaller, pathParameters: unknown): Response | Promise<Response> => {
    const facts = c.get('facts')
    facts.key = caller.key
    facts.route = endpoint.path
    if (endpoint.body) rejectOverload(dependencies, caller.key.organizationId)
    return authorizeAndHandle(dependencies, route, parseQuery, c, caller, pathParameters)
  }
}

/** Authenticates a request to a route outside the contract, such as /mcp, and counts it against the key's limit. */
export async function authenticateCaller(dependencies: ApiDependencies, c: HttpContext): Promise<AuthenticatedCaller> {
  rejectOverload(dependencies)
  const key = await Promise.resolve(findKey(dependencies, c)).catch(dependencies.rethrowDatabaseError)
  if (!key) throw keylessError(dependencies, c)
  const facts = c.get('facts')
  facts.key = key
  if (key.restriction !== null) checkRestriction(dependencies, c, key, key.restriction)
  facts.rateLimit = await takeFromLimits(dependencies, key, 1, facts.now)
  if (!facts.rateLimit.allowed) throw callerLimitError(facts.rateLimit, { key, rateLimit: facts.rateLimit })
  dependencies.onKeyUsed(key, facts.now)
  return { key, rateLimit: facts.rateLimit }
}

function rejectOverload({ loadShedding }: ApiDependencies, organizationId?: string): void {
  const rejection = loadShedding.rejection(organizationId)
  if (rejection) throw rejection
}

function findKey(
  dependencies: ApiDependencies,
  c: HttpContext,
): CachedKey | undefined | Promise<CachedKey | undefined> {
  const secret = parseBearerToken(c.req.raw.headers.get('authorization'))
  if (secret === undefined) return undefined
  return dependencies.keyCache.find(secret, c.get('facts').now, () => limitUnknownKeys(dependencies, c))
}

const KEYLESS_REQUESTS = 'requests without a valid API key from this address'

/**
 * Called before an unknown key is looked up in the database. An address that sent too many gets 429, not 401: one of them
 * may be a valid key that could not be looked up while the database was away.
 */
function limitUnknownKeys(dependencies: ApiDependencies, c: HttpContext): void {
  const decision = takeFromAddressLimit(dependencies, c, 'unknown key ')
  if (!decision.allowed) throw rateLimitError(decision, KEYLESS_REQUESTS)
}

/** Counts a request against its address; `prefix` names a separate count. */
function takeFromAddressLimit(dependencies: ApiDependencies, c: HttpContext, prefix = ''): RateLimitDecision {
  const address = addressLimitKey(dependencies.addressOf(c))
  return dependencies.addressLimiter.take(
    `${prefix}${address}`,
    dependencies.limitsPerMinute.address,
    1,
    c.get('facts').now,
  )
}

function authenticateAndLimit(
  dependencies: ApiDependencies,
  route: ApiRoute,
  parseQuery: QueryParser,
  c: HttpContext,
  key: CachedKey | undefined,
): Response | Promise<Response> {
  if (!key) throw keylessError(dependencies, c)
  const facts = c.get('facts')
  facts.key = key
  if (key.restriction !== null) checkRestriction(dependencies, c, key, key.restriction)
  if (route.endpoint.body) rejectOverload(dependencies, key.organizationId)
  const decision = takeFromLimits(dependencies, key, 1, facts.now)
  if (decision instanceof Promise)
    return decision.then((rateLimit) => authorizeAndHandle(dependencies, route, parseQuery, c, { key, rateLimit }))
  return authorizeAndHandle(dependencies, route, parseQuery, c, { key, rateLimit: decision })
}

function keylessError(dependencies: ApiDependencies, c: HttpContext): ApiError {
  const decision = takeFromAddressLimit(dependencies, c)
  return decision.allowed ? unauthorizedError() : rateLimitError(decision, KEYLESS_REQUESTS)
}

/**
 * Without a limit of its organization a key has the limit of its tier, or its own if that is lower. An organization's
 * limit replaces the tier's and is shared by all of its keys; a key's own limit then applies on top.
 */
function takeFromLimits(
  { limiter, limitsPerMinute }: ApiDependencies,
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

/** Before the key's limit is charged: a stranger with a stolen key must not use up its owner's requests. */
function checkRestriction(
  dependencies: ApiDependencies,
  c: HttpContext,
  key: CachedKey,
  restriction: KeyRestriction,
): void {
  const violation = restrictionViolation(restriction, key.tier, dependencies.addressOf(c))
  if (violation === undefined) return
  const decision = takeFromAddressLimit(dependencies, c)
  c.get('facts').rateLimit = decision
  throw decision.allowed ? new ApiError('FORBIDDEN', violation) : rateLimitError(decision, KEYLESS_REQUESTS)
}

function authorizeAndHandle(
  dependencies: ApiDependencies,
  route: ApiRoute,
  parseQuery: QueryParser,
  c: HttpContext,
  authenticated: AuthenticatedCaller,
  pathParameters?: unknown,
): Response | Promise<Response> {
  const facts = c.get('facts')
  const { key, rateLimit, session } = authenticated
  facts.rateLimit = rateLimit
  if (rateLimit && !rateLimit.allowed) throw callerLimitError(rateLimit, authenticated)
  const { tier, right, body, params, tag } = route.endpoint
  // A customer beyond the quota still sees the usage and can replace a leaked key.
  const needsQuota = tag !== 'Management' && route.endpoint.id !== 'getUsage'
  if (needsQuota && dependencies.isQuotaExhausted(key.organizationId)) throw quotaError(facts.now)
  dependencies.checkRevocationsFresh(route.endpoint.method === 'GET' ? 'read' : 'write')
  if (!session) dependencies.onKeyUsed(key, facts.now)
  if (!tierIncludes(key.tier, tier)) throw tierTooLowError(authenticated, tier, 'This endpoint needs')
  if (right && !hasRight(key.rights, right)) throw missingRightError(right)
  if (params) c.set('params', parseOrThrow(params, pathParameters ?? c.req.param(), { root: 'path' }))
  c.set('caller', {
    organizationId: key.organizationId,
    keyId: key.id,
    tier: key.tier,
    ...(session ? { isClerk: session.isClerk, actor: session.actor } : {}),
  })
  if (body === undefined) {
    const { query, ignored } = parseQuery(c.req.url)
    c.set('query', query)
    return respond(dependencies, route, c, ignored, route.handle(c))
  }
  const { organizationId } = key
  const bodyReceived = dependencies.loadShedding.receive(organizationId, () => readJsonBody(c.req.raw, body.maxBytes))
  return bodyReceived.then((input) =>
    dependencies.loadShedding.run(organizationId, async () => {
      await takeBatchCost(dependencies, c, authenticated, (body.cost?.(input) ?? 1) - 1)
      const neededTier = requiredTier(route.endpoint, input)
      if (!tierIncludes(key.tier, neededTier))
        throw tierTooLowError(authenticated, neededTier, 'What this request asks for needs')
      const { query, ignored } = parseQuery(c.req.url)
      c.set('query', query)
      c.set('body', parseOrThrow(body.schema, input, { root: body.name ?? 'body' }))
      return respond(dependencies, route, c, ignored, route.handle(c))
    }),
  )
}

function tierTooLowError({ key, session }: AuthenticatedCaller, tier: Tier, subject: string): ApiError {
  const neededTierName = TIER_NAMES[tier]
  const [requirement, current] = session ? ['the', "your organization's"] : ['a key of the', 'yours']
  return new ApiError(
    'FORBIDDEN',
    `${subject} ${requirement} ${neededTierName} tier and ${current} is ${TIER_NAMES[key.tier]}. Upgrade to ${neededTierName} to use it.`,
  )
}

function missingRightError(right: KeyRight): ApiError {
  return new ApiError(
    'FORBIDDEN',
    `This endpoint needs a key with the right to ${right}. ${right === 'manage' ? 'An owner of the organization creates one' : 'The operator of the service issues one'}.`,
  )
}

/** Charges what a request costs beyond one, such as the items of a batch. */
export async function takeBatchCost(
  dependencies: ApiDependencies,
  c: HttpContext,
  caller: AuthenticatedCaller,
  extraCost: number,
): Promise<void> {
  if (extraCost <= 0) return
  const facts = c.get('facts')
  const { key, session } = caller
  facts.rateLimit = await (session?.takeFromLimit(extraCost) ?? takeFromLimits(dependencies, key, extraCost, facts.now))
  if (!facts.rateLimit.allowed) throw callerLimitError(facts.rateLimit, caller)
}

function respond(
  dependencies: ApiDependencies,
  route: ApiRoute,
  c: HttpContext,
  ignored: readonly string[] | null,
  result: HandlerResult | Promise<HandlerResult>,
): Response | Promise<Response> {
  if (result instanceof Promise) {
    return result.then(
      (settled) => toResponse(route, c, ignored, settled, Date.now()),
      dependencies.rethrowDatabaseError,
    )
  }
  return toResponse(route, c, ignored, result, c.get('facts').now)
}

function toResponse(
  { endpoint }: ApiRoute,
  c: HttpContext,
  ignored: readonly string[] | null,
  result: HandlerResult,
  now: number,
): Response {
  const options = {
    facts: c.get('facts'),
    requestHeaders: c.req.raw.headers,
    now,
    ignored,
    isCacheable: endpoint.cacheable,
  }
  return successResponse(result, options)
}

/** The same text for every reason, so that callers cannot probe which keys exist. */
function unauthorizedError(): ApiError {
  return new ApiError('UNAUTHORIZED', 'A valid API key is needed: send it as "Authorization: Bearer <API_KEY>".', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
}

function callerLimitError(decision: RateLimitDecision, { key, session }: AuthenticatedCaller): ApiError {
  const { tier, limitPerMinute, ownLimitPerMinute } = key
  if (session) return rateLimitError(decision, "requests per minute of your organization's members")
  if (decision.limit === ownLimitPerMinute) return rateLimitError(decision, 'requests per minute of this key')
  const subject = limitPerMinute === null ? `a ${TIER_NAMES[tier]} key` : 'your organization'
  return rateLimitError(decision, `requests per minute of ${subject}`)
}

function quotaError(now: number): ApiError {
  const renewsAt = nextMonthAt(now)
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `The monthly quota of your organization is used up. It starts anew on ${dayOf(renewsAt)}; ask the operator for a higher one.`,
    { headers: { 'Retry-After': String(Math.ceil((renewsAt - now) / 1000)) } },
  )
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
