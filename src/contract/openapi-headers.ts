import type { RequestHeader } from './endpoint.ts'
import { IDEMPOTENCY_KEY_MAX_LENGTH } from './lookups.ts'

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
export type JsonObject = { [name: string]: Json }

const header = (description: string, schema: JsonObject, example?: Json): JsonObject => ({
  description,
  schema,
  ...(example === undefined ? {} : { example }),
})
const integerSchema: JsonObject = { type: 'integer', minimum: 0 }
const stringSchema: JsonObject = { type: 'string' }

export const EXAMPLE_REQUEST_ID = 'req_0f246810c52148df3'

export const RESPONSE_HEADERS = {
  'X-Request-Id': header("Request id: the caller's own if it is valid.", stringSchema, EXAMPLE_REQUEST_ID),
  'X-RateLimit-Limit': header('Rate limit in requests per minute.', integerSchema, 300),
  'X-RateLimit-Remaining': header('Remaining requests.', integerSchema, 299),
  'X-RateLimit-Reset': header(
    'Time at which the limit is fully available again, in epoch seconds.',
    integerSchema,
    1772443860,
  ),
  RateLimit: header('State of the rate limit, per the IETF draft.', stringSchema, '"per-minute";r=299;t=60'),
  'RateLimit-Policy': header('The rate limit, per the IETF draft.', stringSchema, '"per-minute";q=300;w=60'),
  'Retry-After': header('Seconds to wait before the next attempt.', { type: 'integer', minimum: 1 }, 12),
  ETag: header('Hash of `data` and `meta`; send it as `If-None-Match`.', stringSchema, '"18lucb1ti0b4jt4"'),
  'WWW-Authenticate': header('How to authenticate.', { type: 'string', const: 'Bearer' }, 'Bearer'),
  Allow: header('Allowed methods.', stringSchema, 'GET, HEAD'),
  'Idempotency-Replayed': header('`true` if this is the stored response to an earlier request.', {
    type: 'string',
    const: 'true',
  }),
} satisfies Record<string, JsonObject>

export type ResponseHeader = keyof typeof RESPONSE_HEADERS

/** Part of every response to a valid key. */
export const AUTHENTICATED_HEADERS: readonly ResponseHeader[] = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
]

/** Headers of a response by its status; conformance tests check them. */
export function responseHeadersFor(status: number): readonly ResponseHeader[] {
  if (status === 401) return ['X-Request-Id', 'WWW-Authenticate']
  if (status === 404 || status === 500) return ['X-Request-Id']
  if (status === 405) return ['X-Request-Id', 'Allow']
  if (status === 429 || status === 503) return ['X-Request-Id', 'Retry-After']
  return AUTHENTICATED_HEADERS
}

export const refHeaders = (names: readonly ResponseHeader[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` as const }]))

export const REQUEST_HEADERS: Readonly<Record<RequestHeader, JsonObject>> = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description: `A unique token of at most ${IDEMPOTENCY_KEY_MAX_LENGTH} characters. Repeating the same key and body within 24 hours returns the first response with \`Idempotency-Replayed: true\`; the same key with another body is rejected with 400.`,
    schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_LENGTH },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: '`ETag` of an earlier response. If nothing has changed, the response is 304 without a body.',
    schema: { type: 'string' },
  },
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    description: 'A token of at most 128 characters that identifies the request. It is returned in the response.',
    schema: { type: 'string', maxLength: 128 },
  },
}
