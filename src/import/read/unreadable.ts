import { DomainError } from '../../errors.ts'

/** What was given for import is not what it should be, as a whole; a single bad row goes into the report instead. */
export function unreadable(message: string, cause?: unknown): DomainError {
  return new DomainError('invalid', message, [], { cause })
}
