import type { ErrorCode } from '../contract/errors.ts'
import { type DomainCode, DomainError } from '../lib/errors.ts'
import { presentReason } from '../lib/reasons.ts'

/** Errors that reject a single item of a batch. */
const ITEM_ERROR_CODES: Readonly<Partial<Record<DomainCode, ErrorCode>>> = {
  invalid: 'VALIDATION_ERROR',
  conflict: 'VALIDATION_ERROR',
  not_found: 'NOT_FOUND',
  forbidden: 'FORBIDDEN',
}

/** Returns an error that rejects one item; throws any other, which fails the whole batch. */
export function asItemError(error: unknown): DomainError {
  if (error instanceof DomainError && ITEM_ERROR_CODES[error.code]) return error
  throw error
}

export function presentItemError(index: number, { code, message, reason, details }: DomainError) {
  const error = {
    code: ITEM_ERROR_CODES[code] ?? 'VALIDATION_ERROR',
    message,
    ...presentReason(reason),
    ...(details.length > 0 ? { details: [...details] } : {}),
  }
  return { index, success: false as const, error }
}
