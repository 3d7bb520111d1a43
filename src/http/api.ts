import type { Keyring } from '../access/keyring.ts'
import { type Restriction, refusedUse } from '../access/restriction.ts'
import type { HeldKey } from '../access/store.ts'
import { tierNeeded } from '../contract/endpoints.ts'
import { covers, type Right, TIER_NAMES, type Tier } from '../contract/tiers.ts'
import { addressKey } from '../ratelimit/address.ts'
import type { Decision, Limiter, LocalLimiter } from '../ratelimit/limiter.ts'
import { readAs } from '../read-as.ts'
import { type Admission, OVERLOADED } from './admission.ts'
import { ApiError } from './api-error.ts'
import { bearer } from './bearer.ts'
import type { Admitted, Answer, ApiRoute, HttpContext } from './context.ts'
import { readJsonBody } from './json-body.ts'
import { type QueryReader, queryReader } from './query.ts'
import { answerResponse } from './response.ts'

/** What stands between a caller and every `/api` route. */
export type Gate = {
  readonly keyring: Keyring
  readonly limiter: Limiter
  /** Counts what comes from one address without a valid key; always in this process, before any other work. */
  readonly addressLimiter: LocalLimiter
  readonly limitsPerMinute: Readonly<Record<Tier | 'address', number>>
  readonly addressOf: (c: HttpContext) => string
  readonly used: (key: HeldKey, now: number) => void
  /** Throws where it has been too long since the store could have told that the key was revoked. */
  readonly checkContact: (kind: 'read' | 'write') => void
  /** Bounds the requests whose body is there, which wait for the store and for outside sources. */
  readonly admission: Admission
  /** Bounds those whose body is not there yet: they hold a little memory, and no room that others need. */
  readonly arriving: Admission
  /** Throws on whatever failed while the store was waited for, and says so where the store is away. */
  readonly storeTrouble: (error: unknown) => never
}

/**
 * The handler of one endpoint, told as its stages: who asks, how often, may they, what do they send, what is the answer.
 * One function instead of a chain of middlewares: a chain costs a promise a link, and a read from memory needs none.
 */
export function apiHandler(gate: Gate, route: ApiRoute): (c: HttpContext) => Response | Promise<Response> {
  const { endpoint } = route
  const readQuery = queryReader(endpoint.query, route.takes)
  return (c) => {
    const { admitted } = c.env
    if (admitted) {
      c.get('facts').key = admitted.key
      return admit(gate, route, readQuery, c, admitted.key, admitted.limit)
    }
    // Even before the key: when there are far too many, what little is done for each of them decides how many get through.
    if (endpoint.body && gate.admission.isFull()) throw OVERLOADED
    const key = identify(gate, c)
    if (key instanceof Promise) {
      return key.then((found) => limit(gate, route, readQuery, c, found), gate.storeTrouble)
    }
    return limit(gate, route, readQuery, c, key)
  }
}

/** For what takes a key and is no endpoint of the contract: who asks, counted like any other request of theirs. */
export async function admitCaller(gate: Gate, c: HttpContext): Promise<Admitted> {
  if (gate.admission.isFull()) throw OVERLOADED
  const key = await Promise.resolve(identify(gate, c)).catch(gate.storeTrouble)
  if (!key) throw withoutKey(gate, c)
  const facts = c.get('facts')
  facts.key = key
  if (key.restriction !== null) checkRestriction(gate, c, key, key.restriction)
  facts.limit = await gate.limiter.take(key.id, limitOf(gate, key), 1, facts.now)
  if (!facts.limit.allowed) throw tooManyOf(facts.limit, key)
  gate.used(key, facts.now)
  return { key, limit: facts.limit }
}

function identify(gate: Gate, c: HttpContext): HeldKey | undefined | Promise<HeldKey | undefined> {
  const secret = bearer(c.req.raw.headers.get('authorization'))
  if (secret === undefined) return undefined
  return gate.keyring.find(secret, c.get('facts').now, () => checkUnknownKeys(gate, c))
}

const WITHOUT_KEY = 'requests without a valid API key from this address'

/**
 * Called before an unknown key is looked up in the store. An address that sent too many of them is told "too many", not
 * "unauthorized": among them may be a good key that could not be looked up while the store was away.
 */
function checkUnknownKeys(gate: Gate, c: HttpContext): void {
  const decision = takeOfAddress(gate, c, 'unknown key ')
  if (!decision.allowed) throw tooMany(decision, WITHOUT_KEY)
}

/** Counts a request against its address. What is counted apart has a name of its own before the address. */
function takeOfAddress(gate: Gate, c: HttpContext, counted = ''): Decision {
  const address = addressKey(gate.addressOf(c))
  return gate.addressLimiter.take(`${counted}${address}`, gate.limitsPerMinute.address, 1, c.get('facts').now)
}

function limit(
  gate: Gate,
  route: ApiRoute,
  readQuery: QueryReader,
  c: HttpContext,
  key: HeldKey | undefined,
): Response | Promise<Response> {
  if (!key) throw withoutKey(gate, c)
  const facts = c.get('facts')
  facts.key = key
  if (key.restriction !== null) checkRestriction(gate, c, key, key.restriction)
  if (route.endpoint.body) {
    const refused = gate.admission.refusal(key.organizationId)
    if (refused) throw refused
  }
  const decision = gate.limiter.take(key.id, limitOf(gate, key), 1, facts.now)
  if (decision instanceof Promise) return decision.then((made) => admit(gate, route, readQuery, c, key, made))
  return admit(gate, route, readQuery, c, key, decision)
}

function withoutKey(gate: Gate, c: HttpContext): ApiError {
  const decision = takeOfAddress(gate, c)
  return decision.allowed ? unauthorized() : tooMany(decision, WITHOUT_KEY)
}

/** A key's own limit makes it less, never more: what an organization may use is not for its owners to raise. */
function limitOf(gate: Gate, key: HeldKey): number {
  const agreed = key.limitPerMinute ?? gate.limitsPerMinute[key.tier]
  return key.ownLimitPerMinute === null ? agreed : Math.min(agreed, key.ownLimitPerMinute)
}

/** Before the key's limit is touched: a stranger who got hold of it must not use up its owner's requests. */
function checkRestriction(gate: Gate, c: HttpContext, key: HeldKey, restriction: Restriction): void {
  const refused = refusedUse(restriction, key.tier, gate.addressOf(c))
  if (refused === undefined) return
  const decision = takeOfAddress(gate, c)
  c.get('facts').limit = decision
  throw decision.allowed ? new ApiError('FORBIDDEN', refused) : tooMany(decision, WITHOUT_KEY)
}

function admit(
  gate: Gate,
  route: ApiRoute,
  readQuery: QueryReader,
  c: HttpContext,
  key: HeldKey,
  decision: Decision,
): Response | Promise<Response> {
  const facts = c.get('facts')
  facts.limit = decision
  if (!decision.allowed) throw tooManyOf(decision, key)
  gate.checkContact(route.endpoint.body ? 'write' : 'read')
  gate.used(key, facts.now)
  const { tier, right, body, params } = route.endpoint
  if (!covers(key.tier, tier)) throw tierTooLow(key, tier, 'This endpoint needs')
  if (right && !key.rights.includes(right)) throw rightMissing(right)
  if (params) c.set('params', readAs(params, c.req.param(), { whole: 'path' }))
  c.set('caller', { organizationId: key.organizationId, keyId: key.id, tier: key.tier })
  if (body === undefined) {
    const { query, ignored } = readQuery(c.req.url)
    c.set('query', query)
    return finish(gate, route, c, ignored, route.handle(c))
  }
  const who = key.organizationId
  const arrived = gate.arriving.run(who, () => readJsonBody(c.req.raw, body.maxBytes))
  return arrived.then((sent) =>
    gate.admission.run(who, async () => {
      await takeFurther(gate, c, key, (body.cost?.(sent) ?? 1) - 1)
      const needed = tierNeeded(route.endpoint, sent)
      if (!covers(key.tier, needed)) throw tierTooLow(key, needed, 'What this request asks for needs')
      const { query, ignored } = readQuery(c.req.url)
      c.set('query', query)
      c.set('body', readAs(body.schema, sent, { whole: body.name ?? 'body' }))
      return finish(gate, route, c, ignored, route.handle(c))
    }),
  )
}

function tierTooLow(key: HeldKey, tier: Tier, subject: string): ApiError {
  const needed = TIER_NAMES[tier]
  return new ApiError(
    'FORBIDDEN',
    `${subject} a key of the ${needed} tier and yours is ${TIER_NAMES[key.tier]}. Upgrade to ${needed} to use it.`,
  )
}

function rightMissing(right: Right): ApiError {
  return new ApiError(
    'FORBIDDEN',
    `This endpoint needs a key with the right to ${right}. The operator makes such keys.`,
  )
}

/** What a request counts for beyond itself, such as the items of a batch. */
export async function takeFurther(gate: Gate, c: HttpContext, key: HeldKey, further: number): Promise<void> {
  if (further <= 0) return
  const facts = c.get('facts')
  facts.limit = await gate.limiter.take(key.id, limitOf(gate, key), further, facts.now)
  if (!facts.limit.allowed) throw tooManyOf(facts.limit, key)
}

function finish(
  gate: Gate,
  route: ApiRoute,
  c: HttpContext,
  ignored: readonly string[] | null,
  made: Answer | Promise<Answer>,
): Response | Promise<Response> {
  if (made instanceof Promise) {
    return made.then((answer) => present(route, c, ignored, answer, Date.now()), gate.storeTrouble)
  }
  return present(route, c, ignored, made, c.get('facts').now)
}

function present(
  { endpoint }: ApiRoute,
  c: HttpContext,
  ignored: readonly string[] | null,
  answer: Answer,
  now: number,
): Response {
  const options = { facts: c.get('facts'), sent: c.req.raw.headers, now, ignored, isCacheable: endpoint.cacheable }
  return answerResponse(answer, options)
}

/** One body for every reason, so that nobody learns which keys exist. */
function unauthorized(): ApiError {
  return new ApiError('UNAUTHORIZED', 'A valid API key is needed: send it as "Authorization: Bearer <API_KEY>".', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
}

const tooManyOf = (decision: Decision, key: HeldKey) =>
  tooMany(decision, `requests per minute of a ${TIER_NAMES[key.tier]} key`)

function tooMany(decision: Decision, what: string): ApiError {
  const seconds = decision.retryAfterSeconds
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `The limit of ${decision.limit} ${what} is reached. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
    { headers: { 'Retry-After': String(seconds) } },
  )
}
