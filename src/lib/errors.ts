import { type Reason, reason } from './reasons.ts'

export type ErrorDetail = { readonly field: string; readonly message: string }

/**
 * Error codes that know neither HTTP nor the command line:
 * `not_found` it does not exist or belongs to another organization · `invalid` the input cannot be used · `conflict` the
 * input is valid but not in the current state · `limit_reached` the organization has as many as it may have · `forbidden`
 * the organization's tier is too low · `too_large` more bytes than allowed · `unavailable` temporarily impossible.
 */
export const DOMAIN_CODES = [
  'not_found',
  'invalid',
  'conflict',
  'limit_reached',
  'forbidden',
  'too_large',
  'unavailable',
] as const
export type DomainCode = (typeof DOMAIN_CODES)[number]

/**
 * An expected error of a rule or a store. `message` is shown to people as it is, so it names no path, header, command or
 * option; `reason` is the same as a code with parameters, for pages in other languages; `details` names the fields. `http`
 * and `cli` translate it.
 */
export class DomainError extends Error {
  readonly code: DomainCode
  readonly reason: Reason
  readonly details: readonly ErrorDetail[]
  /** For `not_found`: existing ids that look most similar. */
  readonly nearestIds: readonly string[]
  /** For `unavailable`: when to try again. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: DomainCode,
    message: string,
    reason: Reason,
    details: readonly ErrorDetail[] = [],
    options: { nearestIds?: readonly string[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'DomainError'
    this.code = code
    this.reason = reason
    this.details = details
    this.nearestIds = options.nearestIds ?? []
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** Input as text for a message: cut short, without control characters. */
export function excerpt(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length} items`
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  const plain = text.replace(/[\p{Cc}\p{Cs}]/gu, '\uFFFD')
  return plain.length > 60 ? `${plain.slice(0, 60)}…` : plain
}

/** Without a `why`, the reason is that the value is missing or not accepted. */
export function invalid(field: string, received: unknown, expected: string, why?: Reason): DomainError {
  // Text is quoted, so that the number 5 and the text "5" differ.
  const quoted = typeof received === 'string' ? `"${excerpt(received)}"` : excerpt(received)
  const problem = received === undefined ? 'is missing' : `was ${quoted}`
  const message = `${field} ${problem}; expected ${expected}.`
  const general =
    received === undefined ? reason('value_missing') : reason('value_not_accepted', { value: excerpt(received) })
  return new DomainError('invalid', message, why ?? general, [{ field, message }])
}

export function notFound(subject: string, nearestIds: readonly string[] = []): DomainError {
  const hint = nearestIds.length > 0 ? ` Did you mean ${nearestIds.join(', ')}?` : ''
  return new DomainError('not_found', `${subject} was not found.${hint}`, reason('not_found'), [], { nearestIds })
}

export function unknownId(
  kind: 'organization' | 'key' | 'member' | 'invitation' | 'account' | 'passkey' | 'webhook' | 'delivery' | 'upload',
  id: string,
): DomainError {
  const message = `There is no ${kind} ${excerpt(id)}.`
  return new DomainError('not_found', message, reason('not_found'), [{ field: kind, message }])
}

export function conflict(field: string, message: string, why: Reason): DomainError {
  return new DomainError('conflict', message, why, [{ field, message }])
}

/** An organization has reached a limit; the message says which, and what frees it. */
export function limitReached(field: string, message: string, why: Reason): DomainError {
  return new DomainError('limit_reached', message, why, [{ field, message }])
}

export function unavailable(message: string, retryAfterSeconds: number, cause?: unknown): DomainError {
  return new DomainError('unavailable', message, reason('unavailable'), [], { retryAfterSeconds, cause })
}
