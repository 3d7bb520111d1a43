import { ERRORS, type ErrorCode } from '../contract/errors.ts'
import { type DomainCode, DomainError, type ErrorDetail, unavailable } from '../lib/errors.ts'

/** A refusal as the API words it: a code of its catalogue and a status. What only we may see goes into `cause`. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: readonly ErrorDetail[]
  readonly nearestIds: readonly string[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      details?: readonly ErrorDetail[]
      nearestIds?: readonly string[]
      headers?: Record<string, string>
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: more.cause })
    this.name = 'ApiError'
    this.code = code
    this.status = ERRORS[code].status
    this.details = more.details ?? []
    this.nearestIds = more.nearestIds ?? []
    this.headers = more.headers ?? {}
  }
}

/** What a refusal by a rule or a store is called in the API. It has no word for a conflict: what was sent cannot be done. */
const CODES: Readonly<Record<DomainCode, ErrorCode>> = {
  not_found: 'NOT_FOUND',
  invalid: 'VALIDATION_ERROR',
  conflict: 'VALIDATION_ERROR',
  limit_reached: 'LIMIT_REACHED',
  unavailable: 'SERVICE_UNAVAILABLE',
}

/** Whether the caller is told why; anything else that is thrown is a bug of ours. */
export function isExpectedError(error: unknown): error is ApiError | DomainError {
  return error instanceof ApiError || error instanceof DomainError
}

/**
 * The one place where whatever was thrown becomes an answer of the API: a refusal says why, and of a bug of ours the
 * caller learns nothing.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DomainError) return fromDomainError(error)
  return new ApiError(
    'INTERNAL_ERROR',
    'Something went wrong on our side. Try again; if it stays, quote the X-Request-Id.',
    { cause: error },
  )
}

function fromDomainError({
  code: reason,
  message,
  details,
  nearestIds,
  retryAfterSeconds,
  cause,
}: DomainError): ApiError {
  const code = CODES[reason]
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
  // The contract promises details with VALIDATION_ERROR and with nothing else.
  if (code !== 'VALIDATION_ERROR') return new ApiError(code, message, { nearestIds, headers, cause })
  return new ApiError(code, message, {
    headers,
    cause,
    details: details.length > 0 ? details : [{ field: 'body', message }],
  })
}

/**
 * For what fails while a request waits for the store. A store that is away is said to be so: callers throw a good key
 * away when they see 401, and people think they were signed out.
 */
export function databaseErrorRethrower(isDatabaseUnavailable: (error: unknown) => boolean): (error: unknown) => never {
  return (error) => {
    if (isExpectedError(error) || !isDatabaseUnavailable(error)) throw error
    throw unavailable('The store cannot be reached right now. Try again shortly.', 2, error)
  }
}
