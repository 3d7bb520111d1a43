import type { Context, Env } from 'hono'
import type { z } from 'zod'
import type { Endpoint } from '../contract/endpoints.ts'
import type { CursorMeta, PageMeta } from '../contract/paging.ts'
import type { TraceContext } from '../lib/trace.ts'
import type { RateLimitDecision } from './admission.ts'
import type { PreparedResponse } from './prepared-response.ts'
import type { Principal } from './principal.ts'

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
  principal: Principal | null
  rateLimit: RateLimitDecision | null
  status: number
  durationMs: number
}

/** What Bun provides about a connection. */
export type Connection = {
  requestIP(request: Request): { readonly address: string } | null
  /** Whether no proxy is in front of the port: what a request says about where it comes from is then not believed. */
  readonly isDirect?: boolean
  /**
   * Sender of a request that this process makes to itself, such as a tool call of MCP or a command; nothing in a request
   * can set it. It was counted before, or has no limit.
   */
  readonly principal?: Principal
}

/** Variables of a request. `facts` is always set; the others only in handlers of endpoints. */
export interface HttpEnv extends Env {
  Bindings: Connection
  Variables: {
    facts: RequestFacts
    principal: Principal
    query: unknown
    body: unknown
    /** The body as it was sent, also with fields that the endpoint does not have. */
    sentBody: unknown
    params: unknown
  }
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

/**
 * Result of a handler: a value to serialize, a prepared response that is sent many times, or a file.
 */
export type HandlerResult =
  | PreparedResponse
  | { readonly file: Response }
  | {
      readonly data: unknown
      readonly meta?: PageMeta | CursorMeta
      readonly headers?: Readonly<Record<string, string>>
    }

export type ApiRoute = {
  readonly endpoint: Endpoint
  /** Called when `principal`, `query`, `body` and `params` are set. */
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
