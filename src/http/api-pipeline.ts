import type { CachedKey } from '../auth/auth-store.ts'
import { requiredTier } from '../contract/endpoints.ts'
import { hasRight, type KeyRight, TIER_NAMES, type Tier, tierIncludes } from '../contract/tiers.ts'
import { dayOf, nextMonthAt } from '../lib/time.ts'
import { parseOrThrow } from '../lib/validate.ts'
import { ApiError } from './api-error.ts'
import type { ApiRoute, AuthenticatedCaller, HandlerResult, HttpContext } from './context.ts'
import { readJsonBody } from './json-body.ts'
import {
  type AuthenticationDependencies,
  callerLimitError,
  findKey,
  requireUsableKey,
  takeFromLimits,
} from './key-authentication.ts'
import type { LoadShedding } from './load-shedding/load-shedding.ts'
import { type QueryParser, queryParser } from './query-parser.ts'
import { successResponse } from './response.ts'

/** Dependencies of every `/api` route. */
export type ApiDependencies = AuthenticationDependencies & {
  readonly onKeyUsed: (key: CachedKey, now: number) => void
  /** Whether the organization has used up a hard monthly quota. */
  readonly isQuotaExhausted: (organizationId: string) => boolean
  /** Throws if the database has been away too long to know whether the key was revoked. */
  readonly checkRevocationsFresh: (kind: 'read' | 'write') => void
  readonly loadShedding: Pick<LoadShedding, 'rejection' | 'receive' | 'run'>
  /** Rethrows an error; one that means the database is away becomes `unavailable`. */
  readonly rethrowDatabaseError: (error: unknown) => never
}

type Pipeline = {
  readonly dependencies: ApiDependencies
  readonly route: ApiRoute
  readonly parseQuery: QueryParser
}

const createPipeline = (dependencies: ApiDependencies, route: ApiRoute): Pipeline => ({
  dependencies,
  route,
  parseQuery: queryParser(route.endpoint.query, route.acceptsParameter),
})

/**
 * The handler of one endpoint in stages: find the key, take from the limit, authorize, validate, handle, respond. Stages
 * are plain calls that return a promise only if they must: a read from memory needs none.
 */
export function apiHandler(
  dependencies: ApiDependencies,
  route: ApiRoute,
): (c: HttpContext) => Response | Promise<Response> {
  const pipeline = createPipeline(dependencies, route)
  return (c) => {
    const { authenticated } = c.env
    if (authenticated) {
      c.get('facts').key = authenticated.key
      return authorizeAndHandle(pipeline, c, authenticated)
    }
    // Before the key: under overload the cost of a rejection decides how many requests can be served.
    if (route.endpoint.body) rejectOverload(dependencies)
    const key = findKey(dependencies, c)
    if (key instanceof Promise) {
      return key.then((cachedKey) => authenticateAndLimit(pipeline, c, cachedKey), dependencies.rethrowDatabaseError)
    }
    return authenticateAndLimit(pipeline, c, key)
  }
}

/** The handler of one endpoint for callers with a session, at a path of its own. */
export function sessionHandler(dependencies: ApiDependencies, route: ApiRoute) {
  const pipeline = createPipeline(dependencies, route)
  const { endpoint } = route
  return (c: HttpContext, caller: AuthenticatedCaller, pathParameters: unknown): Response | Promise<Response> => {
    const facts = c.get('facts')
    facts.key = caller.key
    facts.route = endpoint.path
    if (endpoint.body) rejectOverload(dependencies, caller.key.organizationId)
    return authorizeAndHandle(pipeline, c, caller, pathParameters)
  }
}

/** Authenticates a request to a route outside the contract, such as /mcp, and counts it against the key's limit. */
export async function authenticateCaller(dependencies: ApiDependencies, c: HttpContext): Promise<AuthenticatedCaller> {
  rejectOverload(dependencies)
  const cachedKey = await Promise.resolve(findKey(dependencies, c)).catch(dependencies.rethrowDatabaseError)
  const key = requireUsableKey(dependencies, c, cachedKey)
  const facts = c.get('facts')
  facts.rateLimit = await takeFromLimits(dependencies, key, 1, facts.now)
  const caller = { key, rateLimit: facts.rateLimit }
  if (!caller.rateLimit.allowed) throw callerLimitError(caller.rateLimit, caller)
  dependencies.onKeyUsed(key, facts.now)
  return caller
}

function rejectOverload({ loadShedding }: ApiDependencies, organizationId?: string): void {
  const rejection = loadShedding.rejection(organizationId)
  if (rejection) throw rejection
}

function authenticateAndLimit(
  pipeline: Pipeline,
  c: HttpContext,
  cachedKey: CachedKey | undefined,
): Response | Promise<Response> {
  const { dependencies, route } = pipeline
  const key = requireUsableKey(dependencies, c, cachedKey)
  if (route.endpoint.body) rejectOverload(dependencies, key.organizationId)
  const decision = takeFromLimits(dependencies, key, 1, c.get('facts').now)
  if (decision instanceof Promise)
    return decision.then((rateLimit) => authorizeAndHandle(pipeline, c, { key, rateLimit }))
  return authorizeAndHandle(pipeline, c, { key, rateLimit: decision })
}

function authorizeAndHandle(
  pipeline: Pipeline,
  c: HttpContext,
  caller: AuthenticatedCaller,
  pathParameters?: unknown,
): Response | Promise<Response> {
  const { dependencies, route, parseQuery } = pipeline
  const facts = c.get('facts')
  const { key, rateLimit, session } = caller
  facts.rateLimit = rateLimit
  if (rateLimit && !rateLimit.allowed) throw callerLimitError(rateLimit, caller)
  const { tier, right, body, params, tag } = route.endpoint
  // A customer beyond the quota still sees the usage and can replace a leaked key.
  const needsQuota = tag !== 'Management' && route.endpoint.id !== 'getUsage'
  if (needsQuota && dependencies.isQuotaExhausted(key.organizationId)) throw quotaError(facts.now)
  dependencies.checkRevocationsFresh(route.endpoint.method === 'GET' ? 'read' : 'write')
  if (!session) dependencies.onKeyUsed(key, facts.now)
  if (!tierIncludes(key.tier, tier)) throw tierTooLowError(caller, tier, 'This endpoint needs')
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
    return respond(pipeline, c, ignored, route.handle(c))
  }
  const { organizationId } = key
  const bodyReceived = dependencies.loadShedding.receive(organizationId, () => readJsonBody(c.req.raw, body.maxBytes))
  return bodyReceived.then((input) =>
    dependencies.loadShedding.run(organizationId, async () => {
      await takeBatchCost(dependencies, c, caller, (body.cost?.(input) ?? 1) - 1)
      const neededTier = requiredTier(route.endpoint, input)
      if (!tierIncludes(key.tier, neededTier))
        throw tierTooLowError(caller, neededTier, 'What this request asks for needs')
      const { query, ignored } = parseQuery(c.req.url)
      c.set('query', query)
      c.set('body', parseOrThrow(body.schema, input, { root: body.name ?? 'body' }))
      return respond(pipeline, c, ignored, route.handle(c))
    }),
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
  { dependencies, route }: Pipeline,
  c: HttpContext,
  ignored: readonly string[] | null,
  result: HandlerResult | Promise<HandlerResult>,
): Response | Promise<Response> {
  const facts = c.get('facts')
  const { cacheable: isCacheable } = route.endpoint
  const toResponse = (settled: HandlerResult, now: number) =>
    successResponse(settled, { facts, requestHeaders: c.req.raw.headers, now, ignored, isCacheable })
  if (!(result instanceof Promise)) return toResponse(result, facts.now)
  return result.then((settled) => toResponse(settled, Date.now()), dependencies.rethrowDatabaseError)
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

function quotaError(now: number): ApiError {
  const renewsAt = nextMonthAt(now)
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `The monthly quota of your organization is used up. It starts anew on ${dayOf(renewsAt)}; ask the operator for a higher one.`,
    { headers: { 'Retry-After': String(Math.ceil((renewsAt - now) / 1000)) } },
  )
}
