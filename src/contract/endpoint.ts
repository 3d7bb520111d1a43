import { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { CursorMeta, HistoryMeta } from './paging.ts'
import { PERMISSIONS, type Permission, type PermissionRule } from './permissions.ts'
import type { KeyRight, Tier } from './tiers.ts'

export type RequestHeader = 'Idempotency-Key' | 'If-None-Match' | 'X-Request-Id'

export type EndpointExample = {
  readonly summary: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly data: unknown
  /** Of a list with a cursor; the `meta` of numbered pages is derived from the data. */
  readonly meta?: CursorMeta | HistoryMeta
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type EndpointRoute = `${Method} /api/${string}`

export type Endpoint<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Route extends EndpointRoute = EndpointRoute,
> = {
  readonly id: string
  /** Method and path, as the dashboard and the command line name it. */
  readonly route: Route
  readonly method: Method
  /** Parameters are written `{name}` and described by `params`. */
  readonly path: `/api/${string}`
  readonly params?: Params
  readonly permission: Permission
  /** Tier that the permission needs. */
  readonly tier: Tier
  /** Right that a key needs for the permission beside its tier. */
  readonly right?: KeyRight
  /** Whether `organization_id` names the organization to act for. */
  readonly actsForOrganization: boolean
  /** Permission for `format=csv`, which returns the whole list as a file; absent if there is no such format. */
  readonly csvPermission?: Permission
  /** Whether a request of a person counts against the limit of the organization's members; typing in a page does not. */
  readonly isMetered: boolean
  readonly tag:
    | 'Registry'
    | 'Pricing'
    | 'Repairs'
    | 'Identifier risk'
    | 'Appraisals'
    | 'Events'
    | 'Usage'
    | 'Management'
  readonly summary: string
  readonly description: string
  /** Parses the query parameters, which arrive as text: defaults and clamping belong here. */
  readonly query: Query
  /** Filters by attribute names of the catalogue, beside the declared parameters. */
  readonly attributeQuery?: { readonly name: string; readonly description: string }
  readonly requestHeaders: readonly RequestHeader[]
  /** Days on which its end was announced and on which it ends; its responses say so. */
  readonly deprecation?: { readonly since: string; readonly until: string }
  /** Whether a POST can be repeated without harm; it then takes no idempotency key. */
  readonly isIdempotent?: boolean
  /**
   * How a repeated `Idempotency-Key` is recognized: `atomic` if the handler commits the key with its records, `recorded` if
   * the pipeline records the response of the handler. Null if the endpoint creates nothing; it then rejects the header.
   */
  readonly idempotency: 'atomic' | 'recorded' | null
  /** Fields of `data` that are shown once: a repeated request gets the response without them. */
  readonly secretFields: readonly string[]
  readonly body?: {
    readonly schema: Body
    readonly maxBytes: number
    /** Fields with passwords: errors do not repeat their values. */
    readonly secretFields?: readonly string[]
    /** Time to receive it; 10 seconds when absent. */
    readonly deadlineMs?: number
    /** Name of the whole body in error messages; `body` when absent. */
    readonly name?: string
    /** How many requests the body counts as against the rate limit, before validation; 1 when absent. */
    readonly cost?: (body: unknown) => number
    /** Higher tier required by some bodies. */
    readonly tierFor?: { readonly tier: (body: unknown) => Tier; readonly says: string }
  }
  /** The whole response of status 200: the envelope, or the text of a file. */
  readonly response: Response
  readonly mediaType: 'application/json' | 'text/csv'
  readonly paged: boolean
  /** Whether the response carries an ETag and can be 304. */
  readonly cacheable: boolean
  readonly errors: readonly ErrorCode[]
  readonly examples: readonly [EndpointExample, ...EndpointExample[]]
}

export type EndpointDefinition<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Params extends z.ZodType,
  Response extends z.ZodType,
> = Omit<
  Endpoint<Query, Body, Params, Response>,
  | 'route'
  | 'method'
  | 'path'
  | 'tier'
  | 'right'
  | 'actsForOrganization'
  | 'isMetered'
  | 'query'
  | 'requestHeaders'
  | 'idempotency'
  | 'secretFields'
  | 'mediaType'
  | 'paged'
  | 'cacheable'
  | 'errors'
> & {
  readonly query?: Query
  readonly mediaType?: Endpoint['mediaType']
  /** By default a POST that creates something is `recorded`. */
  readonly idempotency?: Endpoint['idempotency']
  readonly secretFields?: readonly string[]
  readonly paged?: boolean
  readonly actsForOrganization?: boolean
  readonly isMetered?: boolean
  /** Beside those of every request, and of every request with a body. */
  readonly errors?: readonly ErrorCode[]
}

/** Fills in what follows from the method, the permission and the body; keeps the types of the schemas for the handler. */
export function defineEndpoint<
  const Route extends EndpointRoute,
  Body extends z.ZodType,
  Params extends z.ZodType,
  Response extends z.ZodType,
  Query extends z.ZodType = typeof NO_PARAMETERS,
>(
  route: Route,
  {
    query = NO_PARAMETERS as unknown as Query,
    mediaType = 'application/json',
    paged = false,
    actsForOrganization = false,
    isMetered,
    idempotency,
    secretFields = [],
    errors = [],
    ...definition
  }: EndpointDefinition<Query, Body, Params, Response>,
): Endpoint<Query, Body, Params, Response, Route> {
  const [method, path] = route.split(' ') as [Method, Endpoint['path']]
  const createsSomething = method === 'POST' && !definition.isIdempotent
  const keyHandling = idempotency === undefined ? (createsSomething ? 'recorded' : null) : idempotency
  const replay = secretFields.length > 0 ? `${REPLAY_SENTENCE} ${SECRET_SENTENCE}` : REPLAY_SENTENCE
  const description = keyHandling ? `${definition.description} ${replay}` : definition.description
  const { tier, right }: PermissionRule = PERMISSIONS[definition.permission]
  const cacheable = method === 'GET' && mediaType === 'application/json'
  return {
    ...definition,
    description,
    route,
    method,
    path,
    tier,
    ...(right ? { right } : {}),
    actsForOrganization,
    isMetered: isMetered ?? (definition.body !== undefined && definition.tag !== 'Management'),
    idempotency: keyHandling,
    secretFields,
    query,
    mediaType,
    paged,
    cacheable,
    requestHeaders: [
      ...(keyHandling ? (['Idempotency-Key'] as const) : []),
      ...(cacheable ? (['If-None-Match'] as const) : []),
      'X-Request-Id',
    ],
    errors: [...new Set([...COMMON_ERRORS, ...(definition.body ? BODY_ERRORS : []), ...KEY_ERRORS[method], ...errors])],
  }
}

const REPLAY_SENTENCE =
  'Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours.'

const SECRET_SENTENCE = 'A repeated response is without the secret.'

/** An `Idempotency-Key` that is too long, used with another body or not accepted. */
const KEY_ERRORS: Readonly<Record<Method, readonly ErrorCode[]>> = {
  GET: [],
  POST: ['VALIDATION_ERROR'],
  PUT: ['VALIDATION_ERROR'],
  PATCH: ['VALIDATION_ERROR'],
  DELETE: ['VALIDATION_ERROR'],
}

/** Errors of any authenticated request. */
const COMMON_ERRORS = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const
/** Further errors of a request with a body. */
const BODY_ERRORS = ['REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_ERROR'] as const

export const optionalText = () => z.string().optional()

const SEARCH_MAX_LENGTH = 100
const SEARCH_MAX_WORDS = 10
const SEARCH_EXPECTED = `at most ${SEARCH_MAX_WORDS} words and ${SEARCH_MAX_LENGTH} characters`

/** Words of records of the organization. */
export const recordSearch = () =>
  z
    .string()
    .max(SEARCH_MAX_LENGTH, SEARCH_EXPECTED)
    .refine((text) => (text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]+(?=\s|$)/gu) ?? []).length <= SEARCH_MAX_WORDS, {
      error: SEARCH_EXPECTED,
    })
    .optional()
    .describe(
      `Words, or their beginnings, of model, reference or seller, an IMEI or its first or last digits, or a stock number; all must occur. Takes ${SEARCH_EXPECTED}. Only callers who may read sellers find them by name.`,
    )
const NO_PARAMETERS = z.object({})
