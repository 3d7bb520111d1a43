import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Config, Environment } from '../config.ts'
import type { Database } from '../db/database.ts'
import { CommandError } from './command-error.ts'

/** What a command gets to work with; the store is opened only by those that need it. */
export type CommandContext = {
  readonly config: Config
  readonly environment: Environment
  readonly now: () => number
  /** The result, alone, so that a script can keep it. */
  readonly print: (line: string) => void
  /** A long result piece by piece, no faster than it is read. */
  readonly write: (text: string) => Promise<void>
  /** Everything else that is said to a person. */
  readonly report: (line: string) => void
  /** Opened once per run and closed when the command is done. Where there is no store the command is refused. */
  readonly openExistingDatabase: () => Promise<Database>
  /** The same for the few commands that may be the first of all: where there is no store, one is made and it is said. */
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
  readonly run: (args: readonly string[], context: CommandContext) => Promise<number>
}

type Options = NonNullable<ParseArgsConfig['options']>

/** Reads the words after a command's name; anything unexpected is a usage mistake. */
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
    throw new CommandError(`${why}. Usage: ${words.usage}`, 2)
  }
}

export function requireOption(value: string | undefined, option: string, usage: string): string {
  if (!value) throw new CommandError(`--${option} is missing. Usage: ${usage}`, 2)
  return value
}
