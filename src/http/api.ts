import type { Keyring } from '../access/keyring.ts'
import type { HeldKey } from '../access/store.ts'
import { ApiError, unavailable } from '../errors.ts'
import { addressKey } from '../ratelimit/address.ts'
import type { Decision, Limiter, LocalLimiter } from '../ratelimit/limiter.ts'
import type { Sender } from '../wire/reception.ts'
import type { RequestHead } from '../wire/request-head.ts'
import type { Admission } from './admission.ts'
import { isRefusal } from './api-error.ts'
import { readJsonBody } from './json-body.ts'
import type { Question } from './query.ts'
import { type ReadyAnswer, readyAnswer } from './ready.ts'
import type { Reply } from './reply.ts'
import { type Answer, type ApiRoute, type Call, covers, type Tier } from './route.ts'

const DEFAULT_BODY_BYTES = 65_536

const TIER_NAMES: Readonly<Record<Tier, string>> = { public: 'Public', paid: 'Paid', enterprise: 'Enterprise' }

/** What stands around every `/api` route. */
export type Gate = {
  readonly keyring: Keyring
  readonly limiter: Limiter
  /** Counts what comes from one address without a valid key; always in this process, before any other work. */
  readonly addressLimiter: LocalLimiter
  readonly limitsPerMinute: Readonly<Record<Tier | 'address', number>>
  /** Where a request comes from, as far as it can be known. */
  readonly addressOf: (exchange: Pick<Exchange, 'request' | 'sender'>) => string
  readonly used: (key: HeldKey, now: number) => void
  /** Bounds the requests with a body, which wait for it, for the store and for outside sources. */
  readonly admission: Admission
  /** Whether an error means that the store is away rather than that we have a bug. */
  readonly isStoreAway: (error: unknown) => boolean
}

/** One request on its way through the stages; each stage fills in what it learned. */
export type Exchange = {
  readonly request: RequestHead
  readonly sender: Sender
  readonly question: Question
  readonly requestId: string
  readonly now: number
  key: HeldKey | null
  decision: Decision | null
}

/**
 * A keyed request, told as its stages: who asks, how often, may they, what do they send, what is the answer. Stages that
 * need not wait do not: a read from memory is answered without one turn of the event loop.
 */
export function serveApi(gate: Gate, route: ApiRoute, exchange: Exchange): Reply | Promise<Reply> {
  // Even before the key: when there are far too many, what little is done for each of them decides how many get through.
  if (route.method === 'POST') gate.admission.check()
  const key = identify(gate, exchange)
  if (key instanceof Promise) return key.then((found) => admit(gate, route, exchange, found), storeTrouble(gate))
  return admit(gate, route, exchange, key)
}

function identify(gate: Gate, exchange: Exchange): HeldKey | undefined | Promise<HeldKey | undefined> {
  const secret = bearer(exchange.request.headers.get('authorization'))
  if (secret === undefined) return undefined
  return gate.keyring.find(secret, exchange.now, () => mayGuess(gate, exchange))
}

/** The secret of `Authorization: Bearer …`; the scheme in any case, one blank or more, nothing after it. */
export function bearer(authorization: string | null): string | undefined {
  if (authorization === null) return undefined
  const isUsual = authorization.startsWith('Bearer ')
  if (!isUsual && authorization.slice(0, 7).toLowerCase() !== 'bearer ') return undefined
  const secret = authorization.slice(7)
  return secret.charCodeAt(0) === 32 ? secret.trimStart() : secret
}

/**
 * An address that showed too many unknown keys gets no more questions to the store answered. It hears "too many", not
 * "unauthorized": among them may be a good key that could not be looked up while the store was away.
 */
function mayGuess(gate: Gate, exchange: Exchange): boolean {
  const name = `peek:${addressKey(gate.addressOf(exchange))}`
  const decision = gate.addressLimiter.take(name, gate.limitsPerMinute.address, 1, exchange.now)
  if (!decision.allowed) throw tooMany(decision, 'requests without a valid API key from this address')
  return true
}

function admit(gate: Gate, route: ApiRoute, exchange: Exchange, key: HeldKey | undefined): Reply | Promise<Reply> {
  if (!key) {
    const address = addressKey(gate.addressOf(exchange))
    const decision = gate.addressLimiter.take(address, gate.limitsPerMinute.address, 1, exchange.now)
    throw decision.allowed ? unauthorized() : tooMany(decision, 'requests without a valid API key from this address')
  }
  exchange.key = key
  const limit = key.limitPerMinute ?? gate.limitsPerMinute[key.tier]
  const decision = gate.limiter.take(key.id, limit, 1, exchange.now)
  if (decision instanceof Promise) return decision.then((made) => answer(gate, route, exchange, key, made))
  return answer(gate, route, exchange, key, decision)
}

function answer(
  gate: Gate,
  route: ApiRoute,
  exchange: Exchange,
  key: HeldKey,
  decision: Decision,
): Reply | Promise<Reply> {
  exchange.decision = decision
  if (!decision.allowed) throw tooMany(decision, `requests per minute of a ${TIER_NAMES[key.tier]} key`)
  gate.used(key, exchange.now)
  if (!covers(key.tier, route.tier)) {
    const needed = TIER_NAMES[route.tier]
    throw new ApiError(
      'FORBIDDEN',
      `This endpoint needs a key of the ${needed} tier and yours is ${TIER_NAMES[key.tier]}. Upgrade to ${needed} to use it.`,
    )
  }
  if (route.method === 'GET') return finish(gate, route, route.handle(callOf(exchange, key, undefined)))
  return gate.admission.run(() => answerWithBody(gate, route, exchange, key))
}

async function answerWithBody(gate: Gate, route: ApiRoute, exchange: Exchange, key: HeldKey): Promise<Reply> {
  const body = await readJsonBody(exchange.request, exchange.sender, route.maxBodyBytes ?? DEFAULT_BODY_BYTES)
  const further = (route.cost?.(body) ?? 1) - 1
  if (further > 0) {
    const limit = key.limitPerMinute ?? gate.limitsPerMinute[key.tier]
    const decision = await gate.limiter.take(key.id, limit, further, exchange.now)
    exchange.decision = decision
    if (!decision.allowed) throw tooMany(decision, `requests per minute of a ${TIER_NAMES[key.tier]} key`)
  }
  return finish(gate, route, route.handle(callOf(exchange, key, body)))
}

function callOf({ request, question, requestId, now }: Exchange, key: HeldKey, body: unknown): Call {
  const { target, parameters, query } = question
  const caller = { organizationId: key.organizationId, keyId: key.id, tier: key.tier }
  return { caller, target, parameters, query, header: request.headers.get, body, requestId, now }
}

function finish(gate: Gate, route: ApiRoute, made: Answer | Promise<Answer>): Reply | Promise<Reply> {
  if (made instanceof Promise) return made.then((answer) => replyOf(route, answer), storeTrouble(gate))
  return replyOf(route, made)
}

function replyOf(route: ApiRoute, made: Answer): Reply {
  if (isReady(made)) return { status: 200, answer: made, headers: undefined, isOwn: route.method === 'POST' }
  const meta = made.meta === undefined ? undefined : JSON.stringify(made.meta)
  const answer = readyAnswer(JSON.stringify(made.data), meta)
  return { status: made.status ?? 200, answer, headers: made.headers, isOwn: true }
}

function isReady(made: Answer): made is ReadyAnswer {
  return 'kind' in made
}

/** Callers throw a good key away when they see 401, so a store that is away must never look like one. */
function storeTrouble(gate: Gate): (error: unknown) => never {
  return (error) => {
    if (!isRefusal(error) && gate.isStoreAway(error)) {
      throw unavailable('The store cannot be reached right now. Try again shortly.', 2, error)
    }
    throw error
  }
}

/** One body for every reason, so that nobody learns which keys exist. */
function unauthorized(): ApiError {
  return new ApiError('UNAUTHORIZED', 'A valid API key is needed: send it as "Authorization: Bearer <API_KEY>".', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
}

function tooMany(decision: Decision, what: string): ApiError {
  const seconds = decision.retryAfterSeconds
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `The limit of ${decision.limit} ${what} is reached. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
    { headers: { 'Retry-After': String(seconds) } },
  )
}
