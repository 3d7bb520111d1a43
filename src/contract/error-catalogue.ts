/** Every error of the API: its HTTP status, when it happens, and an example of its message. */
export const ERRORS = {
  VALIDATION_ERROR: {
    status: 400,
    meaning: 'A parameter or the body is missing or invalid. `error.details` lists each problem.',
    message: 'variant_id is missing; expected the id of a variant, as /api/variants lists them.',
  },
  UNAUTHORIZED: {
    status: 401,
    meaning: 'The API key is missing, malformed, unknown, expired or revoked. The response does not say which.',
    message: 'A valid API key is needed: send it as "Authorization: Bearer <API_KEY>".',
  },
  FORBIDDEN: {
    status: 403,
    meaning:
      "The key is valid, but its tier is too low for the endpoint or above its organization's, it may not be used from this address, or it lacks a right.",
    message: 'This endpoint needs a key of the Enterprise tier and yours is Public. Upgrade to Enterprise to use it.',
  },
  NOT_FOUND: {
    status: 404,
    meaning: 'The path or the requested resource does not exist.',
    message: 'Variant apple-iphone-13-64gb-midnight was not found.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path does not support this method. `Allow` lists the supported methods.',
    message: 'This path takes GET, HEAD only.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    meaning: 'The request body did not arrive within ten seconds. The connection is closed.',
    message: 'The body did not arrive in time.',
  },
  LIMIT_REACHED: {
    status: 409,
    meaning: 'The organization has reached a limit. The message names it.',
    message: 'The limit of 100 keys in use per organization is reached. Revoke a key first.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    meaning: "The request body exceeds the endpoint's limit.",
    message: 'The body is larger than 65536 bytes.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The request body is not declared as `application/json`, or it has a `Content-Encoding`.',
    message: 'The body must be JSON with Content-Type: application/json; "text/plain" was sent.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    meaning: 'The rate limit is exhausted. Retry after `Retry-After` seconds.',
    message: 'The limit of 300 requests per minute of a Public key is reached. Try again in 12 seconds.',
  },
  INTERNAL_ERROR: {
    status: 500,
    meaning: 'Internal error. Quote the `X-Request-Id` when reporting it.',
    message: 'Something went wrong on our side. Try again; if it happens again, quote the X-Request-Id.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    meaning:
      'The database is unavailable or the service is overloaded. Nothing was recorded; retry after `Retry-After` seconds.',
    message: 'Database unavailable. Try again shortly.',
  },
} as const satisfies Record<string, { status: number; meaning: string; message: string }>

export type ErrorCode = keyof typeof ERRORS
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[]

/** Where the reference page explains a code. */
export const errorDocsAnchor = (code: ErrorCode) => `error-${code.toLowerCase().replaceAll('_', '-')}`
