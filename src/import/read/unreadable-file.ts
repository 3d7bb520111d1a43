import { DomainError } from '../../lib/errors.ts'
import type { Reason } from '../../lib/reasons.ts'

/** The file as a whole cannot be imported. Single invalid rows go into the report instead. */
export function unreadableFile(message: string, why: Reason, cause?: unknown): DomainError {
  return new DomainError('invalid', message, why, [], { cause })
}
