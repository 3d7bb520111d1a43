import type { Context, Env } from 'hono'
import type { z } from 'zod'
import type { Actor } from '../auth/actor.ts'
import type { CachedKey } from '../auth/auth-store.ts'
import type { RateLimitDecision } from '../auth/rate-limit/rate-limiter.ts'
import type { Endpoint } from '../contract/endpoints.ts'
import type { CursorMeta, PageMeta } from '../contract/paging.ts'
import type { Tier } from '../contract/tiers.ts'
import type { TraceContext } from '../lib/trace.ts'
import type { PreparedResponse } from './prepared-response.ts'

/** The caller, from the key or the session only, never from other parts of the request. */
export type Caller = {
  readonly organizationId: string
  readonly keyId: string
  readonly tier: Tier
  /** The person, if it is one; keys are not in the audit trail. */
  readonly actor?: Actor
  /** A person whose offers are limited by the policy. */
  readonly isClerk?: boolean
}

/** Facts about a request, for the log and the metrics. */
export type RequestFacts = {
  readonly id: string
  /** The request id with secrets redacted. */
  readonly loggedId: string
  readonly method: string
  /** The route pattern, or "unknown": a path that a caller made up may contain anything. */
  route: string
  /** Epoch milliseconds when it arrived. */
  readonly now: number
  readonly startedMs: number
  /** Null unless the caller sent `traceparent` or spans are recorded. */
  readonly trace: TraceContext | null
  key: CachedKey | null
  rateLimit: RateLimitDecision | null
  status: number
  durationMs: number
}

/** What Bun provides about a connection. */
export type Connection = {
  requestIP(request: Request): { readonly address: string } | null
  /** Set for requests that this process makes to itself; nothing in a request can set it. */
  readonly authenticated?: AuthenticatedCaller
}

/** A caller whose key or session is valid and whose request was counted. */
export type AuthenticatedCaller = {
  /** Of a session: a stand-in with the organization's tier and without rights. */
  readonly key: CachedKey
  /** Null for reads of a session, which only the limit of the address applies to. */
  readonly rateLimit: RateLimitDecision | null
  readonly session?: {
    readonly isClerk: boolean
    readonly actor: Actor
    /** Takes from the limit that all members of the organization share. */
    takeFromLimit(cost: number): Promise<RateLimitDecision>
  }
}

/** Variables of a request. `facts` is always set; the others only in handlers of endpoints. */
export interface HttpEnv extends Env {
  Bindings: Connection
  Variables: { facts: RequestFacts; caller: Caller; query: unknown; body: unknown; params: unknown }
}

export type HttpContext = Context<HttpEnv>

/** A context with more specific types of its variables. */
export type ContextWith<Variables> = {
  get<Name extends keyof Variables>(name: Name): Variables[Name]
  set<Name extends keyof Variables>(name: Name, value: Variables[Name]): void
} & HttpContext

/** Context of an endpoint's handler, with the validated input. */
export type ApiContext<Query = unknown, Body = unknown, Params = unknown> = ContextWith<{
  query: Query
  body: Body
  params: Params
}>

/** Result of a handler: a prepared response, with or without extra headers, a file, or a value to serialize. */
export type HandlerResult =
  | PreparedResponse
  | { readonly file: Response }
  | { readonly ready: PreparedResponse; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly data: unknown
      readonly meta?: PageMeta | CursorMeta
      readonly headers?: Readonly<Record<string, string>>
    }

export type ApiRoute = {
  readonly endpoint: Endpoint
  /** Called when `caller`, `query`, `body` and `params` are set. */
  readonly handle: (c: HttpContext) => HandlerResult | Promise<HandlerResult>
  /** Accepts parameters that the endpoint does not declare, such as attributes of the catalogue. */
  readonly acceptsParameter?: (parameter: string) => boolean
}

/** An endpoint of the contract with its handler, typed by the endpoint's schemas. */
export function route<Query extends z.ZodType, Body extends z.ZodType, Params extends z.ZodType>(
  endpoint: Endpoint<Query, Body, Params>,
  handle: (c: ApiContext<z.output<Query>, z.output<Body>, z.output<Params>>) => HandlerResult | Promise<HandlerResult>,
  options: Pick<ApiRoute, 'acceptsParameter'> = {},
): ApiRoute {
  // The pipeline has validated the input with the endpoint's schemas.
  return { endpoint, handle: handle as ApiRoute['handle'], ...options }
}
