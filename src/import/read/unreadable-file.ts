import { DomainError } from '../../lib/errors.ts'

/** What was given for import is not what it should be, as a whole; a single bad row goes into the report instead. */
export function unreadableFile(message: string, cause?: unknown): DomainError {
  return new DomainError('invalid', message, [], { cause })
}
