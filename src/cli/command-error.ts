import type { DomainError } from '../lib/errors.ts'

/** A refusal as the command line words it: one sentence, exit code 1 (2 when the call itself was wrong). */
export class CommandError extends Error {
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1, cause?: unknown) {
    super(message, { cause })
    this.name = 'CommandError'
    this.exitCode = exitCode
  }
}

/** What a person at the command line can do about a refusal, by its code and what it is about. */
const HINTS: Readonly<Record<string, string>> = {
  'not_found organization': '"org list" shows those there are.',
  'not_found person': '"user list" shows those there are.',
  'not_found key': '"key list --org ID" shows those there are.',
  'conflict moved store':
    'Set DATABASE_URL or DATA_DIR to it, or run "store reopen" if this one is to be used after all.',
  'conflict half store': 'Run the same "store move" again: it goes on where it was.',
  'conflict list': 'To keep both, name another with --list.',
  'conflict shrinking list': 'If that is right, run it again with --accept-shrink.',
}

/**
 * The one place where a refusal by a rule or a store becomes a sentence of the command line. A value that one of the
 * command's `options` cannot have is a mistake in the call itself.
 */
export function toCommandError(error: DomainError, options: readonly string[] = []): CommandError {
  const { code, message, details } = error
  const about = details[0]?.field ?? ''
  if (code === 'invalid' && options.includes(about)) return new CommandError(`--${message}`, 2, error)
  const hint = HINTS[`${code} ${about}`]
  return new CommandError(hint ? `${message} ${hint}` : message, 1, error)
}
