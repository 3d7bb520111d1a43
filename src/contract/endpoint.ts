import { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { CursorMeta } from './paging.ts'
import type { KeyRight, Tier } from './tiers.ts'

export type RequestHeader = 'Idempotency-Key' | 'If-None-Match' | 'X-Request-Id'

export type EndpointExample = {
  readonly summary: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly data: unknown
  /** Of a list that is read on by a cursor; the `meta` of pages is made from the data. */
  readonly meta?: CursorMeta
}

export type Endpoint<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
> = {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Places in it are written `{name}` and described by `params`. */
  readonly path: `/api/${string}`
  readonly params?: Params
  readonly tier: Tier
  /** What a key must have been given beside its tier. */
  readonly right?: KeyRight
  readonly tag: 'Registry' | 'Pricing' | 'Repairs' | 'Identifier risk' | 'Appraisals' | 'Events'
  readonly summary: string
  readonly description: string
  /** Reads the parameters as they were sent, every one a text: defaults, clamping and what is never refused stand here. */
  readonly query: Query
  /** Filters by names that the catalogue decides, beside the declared parameters. */
  readonly attributeQuery?: { readonly name: string; readonly description: string }
  readonly requestHeaders: readonly RequestHeader[]
  readonly body?: {
    readonly schema: Body
    readonly maxBytes: number
    /** What a refusal calls the body as a whole; `body` when absent. */
    readonly name?: string
    /** How many requests a body counts for against the limit, before it is read any closer; 1 when absent. */
    readonly cost?: (body: unknown) => number
    /** A body may ask for something that needs a higher tier than the endpoint itself. */
    readonly tierFor?: { readonly tier: (body: unknown) => Tier; readonly says: string }
  }
  /** The whole answer of status 200, envelope included. */
  readonly response: z.ZodType
  readonly paged: boolean
  /** Whether the answer carries an ETag and can be 304. */
  readonly cacheable: boolean
  readonly errors: readonly ErrorCode[]
  readonly examples: readonly [EndpointExample, ...EndpointExample[]]
}

/** Keeps the types of query and body, so that a handler is given what its endpoint declares. */
export function defineEndpoint<Query extends z.ZodType, Body extends z.ZodType, Params extends z.ZodType>(
  definition: Endpoint<Query, Body, Params>,
): Endpoint<Query, Body, Params> {
  return definition
}

/** What any keyed request can be refused with. */
export const COMMON_ERRORS = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const
/** What a request with a body can be refused with beside that. */
export const BODY_ERRORS = [
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'VALIDATION_ERROR',
] as const

/** A parameter that may be missing, as it was sent. */
export const optionalText = () => z.string().optional()
export const NO_PARAMETERS = z.object({})
