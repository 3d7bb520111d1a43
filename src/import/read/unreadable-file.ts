import { DomainError } from '../../lib/errors.ts'

/** The file as a whole cannot be imported. Single invalid rows go into the report instead. */
export function unreadableFile(message: string, cause?: unknown): DomainError {
  return new DomainError('invalid', message, [], { cause })
}
