import { isFileRequest } from '../contract/csv-format.ts'
import { type Endpoint, requiredTier } from '../contract/endpoints.ts'
import { tierIncludes } from '../contract/tiers.ts'
import { invalid } from '../lib/errors.ts'
import { turnstile } from '../lib/event-loop.ts'
import { reason } from '../lib/reasons.ts'
import { dayOf, nextMonthAt, startOfDay } from '../lib/time.ts'
import { parseOrThrow } from '../lib/validate.ts'
import { parseIdempotencyKey } from '../records/idempotency.ts'
import type { KeyedRequest, RunOnce } from '../records/idempotent-operation.ts'
import type { Guard, RateLimitDecision } from './admission.ts'
import { ApiError, rateLimitError } from './api-error.ts'
import { REPLAY_HEADERS } from './caller-context.ts'
import type { ApiRoute, HandlerResult, HttpContext } from './context.ts'
import { fileSlots } from './file-slots.ts'
import { readJsonBody } from './json-body.ts'
import type { LoadShedding } from './load-shedding/load-shedding.ts'
import { denialError, type Principal, requirePermission } from './principal.ts'
import { type QueryParser, queryParser } from './query-parser.ts'
import { MAX_RESPONSE_BYTES, OversizedResponseError, successResponse } from './response.ts'
import { unknownFields } from './unknown-fields.ts'

/** Dependencies of every `/api` route. */
export type ApiDependencies = {
  readonly guard: Guard
  /** Whether the organization has used up a hard monthly quota. */
  readonly isQuotaExhausted: (organizationId: string) => boolean
  /** Throws if the database has been away too long to know whether the key was revoked. */
  readonly checkRevocationsFresh: (kind: 'read' | 'write') => void
  readonly loadShedding: Pick<LoadShedding, 'rejection' | 'receive' | 'run'>
  /** Runs an operation once per idempotency key. */
  readonly runOnce: RunOnce
  /** Rethrows an error; one that means the database is away becomes `unavailable`. */
  readonly rethrowDatabaseError: (error: unknown) => never
}

type Pipeline = {
  readonly dependencies: ApiDependencies
  readonly route: ApiRoute
  readonly parseQuery: QueryParser
  /** Names of fields that the body of the endpoint does not have. */
  readonly findUnknownFields: (input: unknown) => readonly string[] | null
}

/**
 * The handler of one endpoint in stages: authenticate, limit, authorize, validate, handle, respond. Stages are plain calls
 * that return a promise only if they must: a read from memory needs none.
 */
export function apiHandler(
  dependencies: ApiDependencies,
  route: ApiRoute,
): (c: HttpContext) => Response | Promise<Response> {
  const parseQuery = queryParser(route.endpoint.query, route.acceptsParameter)
  const { body } = route.endpoint
  const findUnknownFields = body ? unknownFields(body.schema) : () => null
  const pipeline: Pipeline = { dependencies, route, parseQuery, findUnknownFields }
  return (c) => {
    const { principal } = c.env
    if (principal) {
      c.get('facts').principal = principal
      return authorize(pipeline, c, principal, null)
    }
    // Before authentication: under overload the cost of a rejection decides how many requests can be served.
    if (route.endpoint.body) rejectOverload(dependencies)
    const authenticated = dependencies.guard.authenticate(c)
    if (authenticated instanceof Promise) {
      return authenticated.then((sender) => limit(pipeline, c, sender), dependencies.rethrowDatabaseError)
    }
    return limit(pipeline, c, authenticated)
  }
}

/** Authenticates a request to a route outside the contract, such as /mcp, and counts it against the limit. */
export async function authenticateAndCount(dependencies: ApiDependencies, c: HttpContext): Promise<Principal> {
  rejectOverload(dependencies)
  const { guard } = dependencies
  const principal = await Promise.resolve(guard.authenticate(c)).catch(dependencies.rethrowDatabaseError)
  await takeFromLimit(dependencies, c, principal, 1, true)
  return principal
}

/** Counts `cost` requests and throws if they are over the limit. */
export async function takeFromLimit(
  { guard }: ApiDependencies,
  c: HttpContext,
  principal: Principal,
  cost: number,
  isMetered: boolean,
): Promise<void> {
  if (cost <= 0) return
  const facts = c.get('facts')
  facts.rateLimit = await guard.takeFromLimit(principal, cost, isMetered, facts.now)
  requireWithinLimit(guard, principal, facts.rateLimit)
}

function requireWithinLimit(guard: Guard, principal: Principal, decision: RateLimitDecision | null): void {
  if (decision && !decision.allowed) throw rateLimitError(decision, guard.limitedSubject(principal, decision))
}

function rejectOverload({ loadShedding }: ApiDependencies, organizationId?: string): void {
  const rejection = loadShedding.rejection(organizationId)
  if (rejection) throw rejection
}

function limit(pipeline: Pipeline, c: HttpContext, principal: Principal): Response | Promise<Response> {
  const { dependencies, route } = pipeline
  const { body, isMetered } = route.endpoint
  if (body) rejectOverload(dependencies, principal.organizationId)
  const decision = dependencies.guard.takeFromLimit(principal, 1, isMetered, c.get('facts').now)
  if (decision instanceof Promise) return decision.then((rateLimit) => authorize(pipeline, c, principal, rateLimit))
  return authorize(pipeline, c, principal, decision)
}

function authorize(
  pipeline: Pipeline,
  c: HttpContext,
  principal: Principal,
  rateLimit: RateLimitDecision | null,
): Response | Promise<Response> {
  const { dependencies, route, parseQuery } = pipeline
  const { permission, method, actsForOrganization } = route.endpoint
  const facts = c.get('facts')
  facts.rateLimit = rateLimit
  requireWithinLimit(dependencies.guard, principal, rateLimit)
  // A customer beyond the quota still sees the usage and can replace a leaked key.
  const needsQuota = route.endpoint.tag !== 'Management' && route.endpoint.tag !== 'Usage'
  if (needsQuota && dependencies.isQuotaExhausted(principal.organizationId)) throw quotaError(facts.now)
  dependencies.checkRevocationsFresh(method === 'GET' ? 'read' : 'write')
  requirePermission(principal, permission)
  if (!actsForOrganization) return validate(pipeline, c, principal)
  const { organization_id: organizationId } = parseQuery(c.req.url).query as { organization_id?: string }
  if (organizationId === undefined || organizationId === principal.organizationId) {
    return validate(pipeline, c, principal)
  }
  return dependencies.guard
    .actFor(principal, organizationId)
    .then((acting) => validate(pipeline, c, acting), dependencies.rethrowDatabaseError)
}

function validate(pipeline: Pipeline, c: HttpContext, principal: Principal): Response | Promise<Response> {
  const { dependencies, route, parseQuery } = pipeline
  const { body, params, isMetered, csvPermission } = route.endpoint
  c.set('principal', principal)
  const idempotencyKey = readIdempotencyKey(route.endpoint, c)
  if (params) c.set('params', parseOrThrow(params, c.req.param(), { root: 'path' }))
  if (body === undefined) {
    const { query, ignored } = parseQuery(c.req.url)
    c.set('query', query)
    if (!csvPermission || !isFileRequest(query)) {
      return respond(pipeline, c, ignored, handle(pipeline, c, idempotencyKey))
    }
    requirePermission(principal, csvPermission)
    return respond(pipeline, c, ignored, handleFile(pipeline, c))
  }
  const { organizationId } = principal
  const received = dependencies.loadShedding.receive(organizationId, () =>
    readJsonBody(c.req.raw, body.maxBytes, body.deadlineMs),
  )
  return received.then((input) =>
    dependencies.loadShedding.run(organizationId, async () => {
      await takeFromLimit(dependencies, c, principal, (body.cost?.(input) ?? 1) - 1, isMetered)
      const tier = requiredTier(route.endpoint, input)
      if (!tierIncludes(principal.tier, tier)) {
        throw denialError(principal, { tier }, 'This request needs')
      }
      const { query, ignored } = parseQuery(c.req.url)
      c.set('query', query)
      c.set('sentBody', input)
      const { name: root = 'body', secretFields } = body
      c.set('body', parseOrThrow(body.schema, input, { root, ...(secretFields ? { secretFields } : {}) }))
      const unknown = pipeline.findUnknownFields(input)
      const allIgnored = unknown && ignored ? [...ignored, ...unknown] : (unknown ?? ignored)
      return respond(pipeline, c, allIgnored, handle(pipeline, c, idempotencyKey))
    }),
  )
}

/** The header of a request; one that the endpoint cannot honour is rejected, because the caller relies on it. */
function readIdempotencyKey({ method, idempotency }: Endpoint, c: HttpContext): string | null {
  if (method === 'GET') return null
  const key = parseIdempotencyKey(c.req.raw.headers.get('idempotency-key'))
  if (key === null || idempotency !== null) return key
  throw invalid('Idempotency-Key', key, 'no such header here: this request can be repeated without one')
}

function handle(
  { dependencies, route }: Pipeline,
  c: HttpContext,
  idempotencyKey: string | null,
): HandlerResult | Promise<HandlerResult> {
  const { idempotency, secretFields } = route.endpoint
  if (idempotencyKey === null || idempotency !== 'recorded') return handleDirectly(dependencies, route, c)
  return handleOnce(dependencies, route, c, { key: idempotencyKey, secretFields })
}

const files = fileSlots()

async function handleFile({ dependencies, route }: Pipeline, c: HttpContext): Promise<HandlerResult> {
  let result: HandlerResult | undefined
  const file = await files.make(c.get('principal').organizationId, async () => {
    result = await handleDirectly(dependencies, route, c)
    return 'file' in result ? result.file : new Response(null)
  })
  return result && !('file' in result) ? result : { file }
}

/** A handler that needs no promise may fail at once. */
function handleDirectly({ rethrowDatabaseError }: ApiDependencies, route: ApiRoute, c: HttpContext) {
  try {
    return route.handle(c)
  } catch (error) {
    return rethrowDatabaseError(error)
  }
}

async function handleOnce(
  { runOnce }: ApiDependencies,
  route: ApiRoute,
  c: HttpContext,
  { key, secretFields }: Pick<KeyedRequest, 'key' | 'secretFields'>,
): Promise<HandlerResult> {
  const { organizationId } = c.get('principal')
  const target = `${c.req.method} ${c.req.path}`
  const request = { organizationId, key, target, body: c.get('sentBody'), secretFields, now: c.get('facts').now }
  const { data, isReplay } = await runOnce(request, async () => {
    const result = await route.handle(c)
    if (!('data' in result)) throw new Error(`${route.endpoint.id} returns no data to record`)
    return result.data
  })
  return isReplay ? { data, headers: REPLAY_HEADERS } : { data }
}

function respond(
  { dependencies, route }: Pipeline,
  c: HttpContext,
  ignored: readonly string[] | null,
  result: HandlerResult | Promise<HandlerResult>,
): Response | Promise<Response> {
  const facts = c.get('facts')
  const { cacheable: isCacheable, deprecation } = route.endpoint
  const toResponse = (settled: HandlerResult, now: number) => {
    const isBounded = route.endpoint.method === 'GET'
    const requestHeaders = c.req.raw.headers
    const response = successResponse(settled, { facts, requestHeaders, now, ignored, isCacheable, isBounded })
    return deprecation ? announceEnd(response, deprecation) : response
  }
  const send = (settled: HandlerResult, now: number): Response | Promise<Response> => {
    try {
      return toResponse(settled, now)
    } catch (error) {
      if (!(error instanceof OversizedResponseError)) throw error
      return respondWithFewer(route, c, settled, error, (fewer) => toResponse(fewer, Date.now()))
    }
  }
  if (!(result instanceof Promise)) return send(result, facts.now)
  const sent = route.endpoint.body?.cost
    ? // Batches that were committed together would be written in one turn of the event loop.
      result.then(async (settled) => {
        await takeTurn()
        return send(settled, Date.now())
      })
    : result.then((settled) => send(settled, Date.now()))
  return sent.catch(dependencies.rethrowDatabaseError)
}

const takeTurn = turnstile()

/** Aims below the bound, because records differ in size. */
const TARGET_BYTES = MAX_RESPONSE_BYTES * 0.8

/** A page that is too large is read again with a smaller `limit`, which `meta` then states. */
async function respondWithFewer(
  { endpoint, handle: read }: ApiRoute,
  c: HttpContext,
  result: HandlerResult,
  error: OversizedResponseError,
  toResponse: (result: HandlerResult) => Response,
): Promise<Response> {
  const query = c.get('query') as { readonly limit?: number }
  const { limit = 'meta' in result ? result.meta?.limit : undefined } = query
  if (limit === undefined || limit <= 1) throw error
  const fewer = Math.max(1, Math.min(limit - 1, Math.floor((limit * TARGET_BYTES) / error.bytes)))
  c.set('query', { ...query, limit: fewer })
  const page = await read(c)
  try {
    return toResponse(page)
  } catch (again) {
    if (!(again instanceof OversizedResponseError)) throw again
    return respondWithFewer({ endpoint, handle: read }, c, page, again, toResponse)
  }
}

/** RFC 9745 and RFC 8594: since when an operation should not be used, and when it ends. */
function announceEnd(response: Response, { since, until }: NonNullable<Endpoint['deprecation']>): Response {
  response.headers.set('Deprecation', `@${startOfDay(since) / 1000}`)
  response.headers.set('Sunset', new Date(startOfDay(until)).toUTCString())
  return response
}

function quotaError(now: number): ApiError {
  const renewsAt = nextMonthAt(now)
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `The monthly quota of your organization is used up. It is renewed on ${dayOf(renewsAt)}; ask the operator for a higher one.`,
    reason('quota_used', { day: dayOf(renewsAt) }),
    { headers: { 'Retry-After': String(Math.ceil((renewsAt - now) / 1000)) } },
  )
}
