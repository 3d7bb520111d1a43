import type { ErrorCode, ErrorDetail, ErrorEnvelope } from './generated.ts'
import type { RawResponse } from './response.ts'

/** Fields of an error response. */
export type ErrorFacts = {
  readonly code: ErrorCode
  readonly message: string
  readonly status: number
  readonly details?: readonly ErrorDetail[] | undefined
  readonly nearestIds?: readonly string[] | undefined
  readonly requestId?: string | undefined
  readonly docs?: string | undefined
  readonly retryAfterSeconds?: number | undefined
}

/** An error response of the service. Each code has its own class, so that `instanceof` tells them apart. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** On `VALIDATION_ERROR`: each invalid parameter or field. */
  readonly details: readonly ErrorDetail[]
  /** On `NOT_FOUND` of a device or variant: ids that are most similar to the requested one. */
  readonly nearestIds: readonly string[]
  /** Quote it when you report a problem. */
  readonly requestId: string | undefined
  /** URL of the reference section that explains the code. */
  readonly docs: string | undefined
  /** From `Retry-After`, if the service sent it. */
  readonly retryAfterSeconds: number | undefined

  constructor(facts: ErrorFacts) {
    super(facts.message)
    this.name = new.target.name
    this.code = facts.code
    this.status = facts.status
    this.details = facts.details ?? []
    this.nearestIds = facts.nearestIds ?? []
    this.requestId = facts.requestId
    this.docs = facts.docs
    this.retryAfterSeconds = facts.retryAfterSeconds
  }
}

export class ValidationError extends ApiError {}
export class UnauthorizedError extends ApiError {}
export class ForbiddenError extends ApiError {}
export class NotFoundError extends ApiError {}
export class MethodNotAllowedError extends ApiError {}
export class RequestTimeoutError extends ApiError {}
export class LimitReachedError extends ApiError {}
export class PayloadTooLargeError extends ApiError {}
export class UnsupportedMediaTypeError extends ApiError {}
export class RateLimitError extends ApiError {}
export class InternalError extends ApiError {}
export class ServiceUnavailableError extends ApiError {}

/** No response: the network failed or the time limit was reached. `cause` has the reason. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError'
}

/** A response that is not from the service, such as the page or JSON of a proxy. */
export class UnexpectedResponseError extends ConnectionError implements RawResponse {
  override readonly name = 'UnexpectedResponseError'
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | undefined
  /** The response body as text. */
  readonly body: string

  constructor({ status, headers, requestId }: RawResponse, body: string) {
    super(`The response (status ${status}) is not one of the service. Check \`url\` and any proxy in between.`)
    this.status = status
    this.headers = headers
    this.requestId = requestId
    this.body = body
  }
}

/** The compiler checks that no code of the OpenAPI document is missing. */
const CLASSES: Readonly<Record<ErrorCode, typeof ApiError>> = {
  VALIDATION_ERROR: ValidationError,
  UNAUTHORIZED: UnauthorizedError,
  FORBIDDEN: ForbiddenError,
  NOT_FOUND: NotFoundError,
  METHOD_NOT_ALLOWED: MethodNotAllowedError,
  REQUEST_TIMEOUT: RequestTimeoutError,
  LIMIT_REACHED: LimitReachedError,
  PAYLOAD_TOO_LARGE: PayloadTooLargeError,
  UNSUPPORTED_MEDIA_TYPE: UnsupportedMediaTypeError,
  RATE_LIMIT_EXCEEDED: RateLimitError,
  INTERNAL_ERROR: InternalError,
  SERVICE_UNAVAILABLE: ServiceUnavailableError,
}

export function isErrorEnvelope(body: unknown): body is ErrorEnvelope {
  const error = (body as Partial<ErrorEnvelope> | null)?.error as Partial<ErrorEnvelope['error']> | null | undefined
  return typeof error?.code === 'string' && typeof error.message === 'string'
}

/** The error of an error response; a code of a later version is a plain `ApiError`. */
export function errorOf({ status, headers, requestId }: RawResponse, { error }: ErrorEnvelope): ApiError {
  const Class = CLASSES[error.code] ?? ApiError
  return new Class({
    code: error.code,
    message: error.message,
    status,
    details: error.details,
    nearestIds: error.nearest_ids,
    requestId: error.request_id ?? requestId,
    docs: error.docs,
    retryAfterSeconds: retryAfterSeconds(headers),
  })
}

/** Seconds to wait by `Retry-After`, which is a number or a date. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim()
  if (!text) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000)
}
