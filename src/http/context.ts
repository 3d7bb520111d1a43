import type { Context, Env } from 'hono'
import type { z } from 'zod'
import type { CachedKey } from '../auth/auth-store.ts'
import type { RateLimitDecision } from '../auth/rate-limit/rate-limiter.ts'
import type { Endpoint } from '../contract/endpoints.ts'
import type { PageMeta } from '../contract/paging.ts'
import type { Tier } from '../contract/tiers.ts'
import type { PreparedResponse } from './prepared-response.ts'

/** Who is asking. It comes from the key or the session alone, never from anything else in the request. */
export type Caller = { readonly organizationId: string; readonly keyId: string; readonly tier: Tier }

/** What is learned of a request while it is answered; at its end it is the line in the log and the count in the metrics. */
export type RequestFacts = {
  readonly id: string
  /** The id as a log may repeat it. */
  readonly loggedId: string
  readonly method: string
  /** The route as the program names it, or "unknown": a made-up path may hold anything. */
  readonly route: string
  /** Epoch milliseconds at its arrival. */
  readonly now: number
  readonly startedMs: number
  key: CachedKey | null
  rateLimit: RateLimitDecision | null
  status: number
  durationMs: number
}

/** What the server underneath tells about a connection. */
export type Connection = {
  requestIP(request: Request): { readonly address: string } | null
  /** For a request that this process makes of itself: in whose name. Nothing that a request carries can set it. */
  readonly authenticated?: AuthenticatedCaller
}

/** Somebody whose key was found good and whose request was counted. */
export type AuthenticatedCaller = { readonly key: CachedKey; readonly rateLimit: RateLimitDecision }

/** The variables of a request. `facts` are there from its arrival; the others only for the handler of an endpoint. */
export interface HttpEnv extends Env {
  Bindings: Connection
  Variables: { facts: RequestFacts; caller: Caller; query: unknown; body: unknown; params: unknown }
}

export type HttpContext = Context<HttpEnv>

/** The same context where more is known of its variables. */
export type ContextWith<Variables> = {
  get<Name extends keyof Variables>(name: Name): Variables[Name]
  set<Name extends keyof Variables>(name: Name, value: Variables[Name]): void
} & HttpContext

/** The context of a keyed request: who asks, and what they sent as their endpoint's schemas read it. */
export type ApiContext<Query = unknown, Body = unknown, Params = unknown> = ContextWith<{
  query: Query
  body: Body
  params: Params
}>

/** What a handler returns: bytes that are ready, with headers of their own or without, or a value yet to be written. */
export type HandlerResult =
  | PreparedResponse
  | { readonly ready: PreparedResponse; readonly headers: Readonly<Record<string, string>> }
  | { readonly data: unknown; readonly meta?: PageMeta; readonly headers?: Readonly<Record<string, string>> }

export type ApiRoute = {
  readonly endpoint: Endpoint
  /** Called when `caller`, `query`, `body` and `params` are set. */
  readonly handle: (c: HttpContext) => HandlerResult | Promise<HandlerResult>
  /** Whether a parameter that the endpoint does not declare is one all the same, where the catalogue decides that. */
  readonly acceptsParameter?: (parameter: string) => boolean
}

/** An endpoint of the contract and what answers it, typed by what the endpoint says is sent. */
export function route<Query extends z.ZodType, Body extends z.ZodType, Params extends z.ZodType>(
  endpoint: Endpoint<Query, Body, Params>,
  handle: (c: ApiContext<z.output<Query>, z.output<Body>, z.output<Params>>) => HandlerResult | Promise<HandlerResult>,
  options: Pick<ApiRoute, 'acceptsParameter'> = {},
): ApiRoute {
  // Whoever calls it has read what was sent by the endpoint's own schemas.
  return { endpoint, handle: handle as ApiRoute['handle'], ...options }
}
