import type { ErrorCode, ErrorDetail, ErrorEnvelope } from './generated.ts'

/** What the service said beside the code and the sentence. */
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

/** A refusal by the service. Each code has a class of its own, so that `instanceof` tells them apart. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** On `VALIDATION_ERROR`: each refused parameter or field. */
  readonly details: readonly ErrorDetail[]
  /** On `NOT_FOUND` of a device or variant: ids that look most like the one asked for. */
  readonly nearestIds: readonly string[]
  /** Quote it in a report. */
  readonly requestId: string | undefined
  /** Address of the passage of the reference that explains the code. */
  readonly docs: string | undefined
  /** When it is worth trying again, where the service said so. */
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

/** No answer, or one that is not the service's: the network, a proxy, a time-out. `cause` has what was thrown. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** The compiler holds this against the codes of the OpenAPI document: none is missing. */
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

type Refusal = { readonly status: number; readonly headers: Headers }

/** The error that an answer is; a code that a later version added is a plain `ApiError`. */
export function errorOf(response: Refusal, { error }: ErrorEnvelope): ApiError {
  const Class = CLASSES[error.code] ?? ApiError
  return new Class({
    code: error.code,
    message: error.message,
    status: response.status,
    details: error.details,
    nearestIds: error.nearest_ids,
    requestId: error.request_id ?? response.headers.get('x-request-id') ?? undefined,
    docs: error.docs,
    retryAfterSeconds: retryAfterSeconds(response),
  })
}

export function retryAfterSeconds(response: Pick<Refusal, 'headers'>): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}
