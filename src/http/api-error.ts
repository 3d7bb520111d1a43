import { ERRORS, type ErrorCode } from '../contract/errors.ts'
import { type DomainCode, DomainError, type ErrorDetail, unavailable } from '../lib/errors.ts'
import { type Reason, reason } from '../lib/reasons.ts'

/** An error of the API: a code of the catalogue and its status. `cause` is only logged, never sent. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly reason: Reason
  readonly details: readonly ErrorDetail[]
  readonly nearestIds: readonly string[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    reason: Reason,
    options: {
      details?: readonly ErrorDetail[]
      nearestIds?: readonly string[]
      headers?: Record<string, string>
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ApiError'
    this.code = code
    this.status = ERRORS[code].status
    this.reason = reason
    this.details = options.details ?? []
    this.nearestIds = options.nearestIds ?? []
    this.headers = options.headers ?? {}
  }
}

/** For an `unavailable` that names no time. */
const DEFAULT_RETRY_SECONDS = 60
/** The registry index is built again in about that time. */
const DAMAGE_RETRY_SECONDS = 30
/** A full disk takes a person. */
const FULL_RETRY_SECONDS = 60

/** Domain errors as codes of the API, which has no code for a conflict. */
const CODES: Readonly<Record<DomainCode, ErrorCode>> = {
  not_found: 'NOT_FOUND',
  invalid: 'VALIDATION_ERROR',
  conflict: 'VALIDATION_ERROR',
  limit_reached: 'LIMIT_REACHED',
  forbidden: 'FORBIDDEN',
  too_large: 'PAYLOAD_TOO_LARGE',
  unavailable: 'SERVICE_UNAVAILABLE',
}

/** Whether the message may be sent to the caller; anything else is a bug. */
export function isExpectedError(error: unknown): error is ApiError | DomainError {
  return error instanceof ApiError || error instanceof DomainError
}

/** Converts any thrown value to an error of the API. The message of a bug is never sent. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DomainError) return fromDomainError(error)
  return new ApiError(
    'INTERNAL_ERROR',
    'Something went wrong on our side. Try again; if it happens again, quote the X-Request-Id.',
    reason('internal'),
    { cause: error },
  )
}

function fromDomainError({
  code: domainCode,
  message,
  reason: why,
  details,
  nearestIds,
  retryAfterSeconds,
  cause,
}: DomainError): ApiError {
  const code = CODES[domainCode]
  const headers: Record<string, string> =
    domainCode === 'unavailable' ? { 'Retry-After': String(retryAfterSeconds ?? DEFAULT_RETRY_SECONDS) } : {}
  // The contract promises details with VALIDATION_ERROR and with nothing else.
  if (code !== 'VALIDATION_ERROR') return new ApiError(code, message, why, { nearestIds, headers, cause })
  return new ApiError(code, message, why, {
    headers,
    cause,
    details: details.length > 0 ? details : [{ field: 'body', message }],
  })
}

/**
 * Rethrows an error; one that means the database is away becomes 503, because a 401 would make callers discard a valid
 * key.
 */
export function databaseErrorRethrower({
  isDatabaseUnavailable,
  isDiskFull,
  isDamaged,
}: Readonly<Record<'isDatabaseUnavailable' | 'isDiskFull' | 'isDamaged', (error: unknown) => boolean>>): (
  error: unknown,
) => never {
  return (error) => {
    if (isExpectedError(error)) throw error
    if (isDamaged(error))
      throw unavailable(
        'A damaged part of the stored data cannot be read; it is repaired.',
        DAMAGE_RETRY_SECONDS,
        error,
      )
    if (!isDatabaseUnavailable(error)) throw error
    if (isDiskFull(error))
      throw unavailable('The disk of the database is full. The operator has to make room.', FULL_RETRY_SECONDS, error)
    throw unavailable('Database unavailable. Try again shortly.', 2, error)
  }
}

/** The one text of a 429; `limited` names what is limited, such as `requests per minute of this key`. */
export function rateLimitError(
  { limit, retryAfterSeconds }: { readonly limit: number; readonly retryAfterSeconds: number },
  limited: string,
): ApiError {
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `The limit of ${limit} ${limited} is reached. Try again in ${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}.`,
    reason('rate_limit', { seconds: retryAfterSeconds }),
    { headers: { 'Retry-After': String(retryAfterSeconds) } },
  )
}
