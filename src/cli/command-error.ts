import type { DatabaseOptions } from '../db/database.ts'
import type { DomainError } from '../lib/errors.ts'

/** An error with a message for the person at the command line. Exit code 2 means that the call itself was wrong. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2
  /** For `--json`; derived from the cause and the exit code if absent. */
  readonly code: string | undefined

  constructor(message: string, exitCode: 1 | 2 = 1, cause?: unknown, code?: string) {
    super(message, { cause })
    this.name = 'CommandError'
    this.exitCode = exitCode
    this.code = code
  }
}

/** What to do about an error, by its code and the field it concerns. */
const HINTS: Readonly<Record<string, string>> = {
  'not_found organization': '"org list" shows all organizations.',
  'not_found observations': '"export observations" shows all sources and imports.',
  'not_found key': '"key list --org ID" shows all keys.',
  'conflict moved store': 'Set DATABASE_URL or DATA_DIR to it, or run "move --reopen" to use this one again.',
  'conflict list': 'To keep both, name another with --list.',
  'conflict shrinking list': 'If that is right, run it again with --accept-shrink.',
}

/** Adds a hint to a domain error. An invalid value of one of the command's `options` is a usage error. */
export function toCommandError(error: DomainError, options: readonly string[] = []): CommandError {
  const { code, message, details } = error
  const field = details[0]?.field ?? ''
  if (code === 'invalid' && options.includes(field)) return new CommandError(`--${message}`, 2, error)
  const hint = HINTS[`${code} ${field}`]
  return new CommandError(hint ? `${message} ${hint}` : message, 1, error)
}

const describeLocation = ({ url, dataDir }: DatabaseOptions) => (url ? 'at DATABASE_URL' : `in ${dataDir}`)

/** Most commands must not create a database: in another folder than the service's they would show an empty one. */
export class DatabaseNotFoundError extends CommandError {
  constructor(options: DatabaseOptions) {
    super(
      `There is no database ${describeLocation(options)}. Run this in the folder the service is started in, or set DATA_DIR or DATABASE_URL as for the service.`,
    )
  }
}

export function databaseCreatedMessage(options: DatabaseOptions): string {
  return `Created a new database ${describeLocation(options)}. If the service keeps its data elsewhere, set DATA_DIR or DATABASE_URL as for the service.`
}
