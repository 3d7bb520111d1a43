import { ERRORS, type ErrorCode } from './contract/errors.ts'

export type RefusalDetail = { field: string; message: string }

/** A refusal meant for the caller: `message` is shown as it stands; what only we may see goes into `cause`. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: readonly RefusalDetail[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    more: { details?: readonly RefusalDetail[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.name = 'ApiError'
    this.code = code
    this.status = ERRORS[code].status
    this.details = more.details ?? []
    this.headers = more.headers ?? {}
  }
}

/** What was sent, short enough to repeat in a message and free of control characters. */
export function excerpt(sent: unknown): string {
  const text = typeof sent === 'string' ? sent : (JSON.stringify(sent) ?? String(sent))
  const plain = text.replace(/[\p{Cc}\p{Cs}]/gu, '\uFFFD')
  return plain.length > 60 ? `${plain.slice(0, 60)}…` : plain
}

export function invalid(field: string, sent: unknown, accepted: string): ApiError {
  const got = sent === undefined ? 'is missing' : `was "${excerpt(sent)}"`
  const message = `${field} ${got}; expected ${accepted}.`
  return new ApiError('VALIDATION_ERROR', message, { details: [{ field, message }] })
}

export function notFound(what: string): ApiError {
  return new ApiError('NOT_FOUND', `${what} was not found.`)
}

export function unavailable(message: string, retryAfterSeconds: number, cause?: unknown): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', message, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
    cause,
  })
}

/** A refusal of the command line: shown as one sentence, exit code 1 (2 when the call itself was wrong). */
export class CommandError extends Error {
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1, cause?: unknown) {
    super(message, { cause })
    this.name = 'CommandError'
    this.exitCode = exitCode
  }
}
