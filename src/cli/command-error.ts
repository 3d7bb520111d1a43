import { CommandError, type DomainError } from '../errors.ts'

/** Which command shows the things of a kind, for somebody who named one that is not there. */
const SHOWN_BY: Readonly<Record<string, string>> = {
  organization: '"org list" shows those there are.',
  key: '"key list --org ID" shows those there are.',
}

/** The one place where a refusal by a rule or a store becomes a sentence of the command line. */
export function asCommandError(error: DomainError): CommandError {
  const hint = error.code === 'not_found' ? SHOWN_BY[error.details[0]?.field ?? ''] : undefined
  return new CommandError(hint ? `${error.message} ${hint}` : error.message, 1, error)
}
