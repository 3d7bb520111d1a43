import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Config, Environment } from '../config.ts'
import type { Database } from '../db/database.ts'
import { closestWord } from '../lib/edit-distance.ts'
import { CommandError } from './command-error.ts'

/** What a command gets to work with; the database is opened only by commands that need it. */
export type CommandContext = {
  readonly config: Config
  readonly environment: Environment
  readonly now: () => number
  /** Prints the result to stdout, for scripts. */
  readonly print: (line: string) => void
  /** Writes a part of a long result; resolves when it was handed over. */
  readonly write: (text: string) => Promise<void>
  /** Prints a message for a person to stderr. */
  readonly report: (line: string) => void
  /** Opened once per run and closed when the command ends. Without a database the command fails. */
  readonly openExistingDatabase: () => Promise<Database>
  /** The same, but creates the database if there is none and reports it. */
  readonly openOrCreateDatabase: () => Promise<Database>
}

export type Command = {
  /** One or two words, as they are typed. */
  readonly name: string
  /** What follows the name, for example "NAME [--json]". */
  readonly usage: string
  /** One sentence. */
  readonly help: string
  /** Further lines of `--help`: options and examples. */
  readonly details?: string
  /** Started by the service itself: not listed and not completed. */
  readonly isInternal?: boolean
  /** Values of the first word after the name, for shell completion. */
  readonly choices?: readonly string[]
  readonly run: (args: readonly string[], context: CommandContext) => Promise<number>
}

type Options = NonNullable<ParseArgsConfig['options']>

/** Parses the words after a command's name; anything unexpected is a usage error. */
export function parseArguments<const O extends Options>(
  args: readonly string[],
  options: O,
  words: { least: number; most: number; usage: string },
) {
  try {
    const read = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
    const count = read.positionals.length
    if (count < words.least || count > words.most) throw new CommandError(`Usage: ${words.usage}`, 2)
    return read
  } catch (error) {
    if (error instanceof CommandError) throw error
    const why = error instanceof Error ? error.message.split('. ')[0] : String(error)
    const unknown = /^Unknown option '--(.+)'/.exec(why ?? '')?.[1]
    const closest = unknown && closestWord(unknown, Object.keys(options))
    throw new CommandError(`${why}.${closest ? ` Did you mean --${closest}?` : ''} Usage: ${words.usage}`, 2)
  }
}

export function requireOption(value: string | undefined, option: string, usage: string): string {
  if (!value) throw new CommandError(`--${option} is missing. Usage: ${usage}`, 2)
  return value
}
