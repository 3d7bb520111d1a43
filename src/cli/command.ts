import { parseArgs } from 'node:util'
import type { Actor } from '../auth/actor.ts'
import type { Config, Environment } from '../config.ts'
import type { Database } from '../db/database.ts'
import { closestWord } from '../lib/edit-distance.ts'
import { isDay } from '../lib/time.ts'
import { CommandError } from './command-error.ts'

/** What a command gets to work with. The database is opened only by commands that need it. */
export type CommandContext = {
  readonly config: Config
  readonly environment: Environment
  readonly now: () => number
  /** The person who runs the command, as the audit trail names them. */
  readonly actor: Actor
  /** Prints a line of the result to stdout, for scripts. */
  readonly print: (line: string) => void
  /** Writes a part of a long result to stdout; resolves when it is handed over. */
  readonly write: (text: string) => Promise<void>
  /** Prints a message for a person to stderr. */
  readonly report: (line: string) => void
  /** Opened once per run and closed when the command ends. Fails if there is no database. */
  readonly openExistingDatabase: () => Promise<Database>
  /** The same, but creates a missing database and reports it. */
  readonly openOrCreateDatabase: () => Promise<Database>
}

/** A positional argument or a `--name` option: how the help shows it and how its text is parsed. */
export type CommandOption<Value> = {
  /** Stands for the value in the usage line, such as ORG_ID. A flag has none. */
  readonly placeholder?: string
  readonly help?: string
  /** Accepted values for an error message, such as "0 to 30 days". */
  readonly accepts?: string
  /** Accepted words, to suggest the closest one. */
  readonly choices?: readonly string[]
  readonly isOptional?: boolean
  /** Value used if it is absent. */
  readonly fallback?: Value
  /** Undefined if the text is not acceptable. */
  readonly parse: (text: string) => Value | undefined
}

type OptionSet = Readonly<Record<string, CommandOption<unknown>>>
type NoOptions = Readonly<Record<never, never>>
type ValuesOf<Options extends OptionSet> = {
  readonly [Name in keyof Options]: Options[Name] extends CommandOption<infer Value> ? Value : never
}

/** Printed by the program: `json` with --json, otherwise `text`. Exit code 0 unless stated. */
export type CommandOutput = { readonly text?: string; readonly json?: unknown; readonly exitCode?: number }

export type Command = {
  readonly name: string
  /** Arguments and options, such as "NAME [--json]". */
  readonly usage: string
  /** One sentence. */
  readonly help: string
  /** Further lines of `--help`: options, notes and examples. */
  readonly details: string
  /** A form of another command, whose line in the list of commands names it. */
  readonly isFormOfAnother: boolean
  readonly run: (args: readonly string[], context: CommandContext) => Promise<number>
}

type InputOf<Arguments extends OptionSet, Options extends OptionSet> = ValuesOf<Arguments> &
  ValuesOf<Options> & { readonly json: boolean; readonly rest: readonly string[] }

type CommandSpec<Arguments extends OptionSet, Options extends OptionSet> = {
  /** One to three words, as they are typed. */
  readonly name: string
  readonly help: string
  /** In the order they are typed; optional ones last. */
  readonly arguments?: Arguments
  /** Placeholder of any number of further arguments. */
  readonly rest?: string
  readonly options?: Options
  /** Replaces the generated usage line. */
  readonly usage?: string
  /** Whether it takes --json. */
  readonly json?: boolean
  /** Lines of `--help` after the options. */
  readonly notes?: readonly string[]
  readonly isFormOfAnother?: boolean
  readonly run: (input: InputOf<Arguments, Options>, context: CommandContext) => Promise<CommandOutput | undefined>
}

/** Builds a command from its description: usage, help and parsing all follow from it. */
export function command<Arguments extends OptionSet = NoOptions, Options extends OptionSet = NoOptions>(
  spec: CommandSpec<Arguments, Options>,
): Command {
  const args: OptionSet = spec.arguments ?? {}
  const options: OptionSet = { ...spec.options, ...(spec.json ? { json: flag('print the result as JSON') } : {}) }
  const usage = spec.usage ?? usageOf(args, spec.rest, options)
  return {
    name: spec.name,
    usage,
    help: spec.help,
    details: [...describeOptions(args, options), ...(spec.notes ?? [])].join('\n'),
    isFormOfAnother: spec.isFormOfAnother === true,
    async run(words, context) {
      try {
        const input = parseInput(words, args, spec.rest !== undefined, options) as InputOf<Arguments, Options>
        const output = await spec.run(input, context)
        if (input.json && output?.json !== undefined) context.print(JSON.stringify(output.json))
        else if (!input.json && output?.text !== undefined) context.print(output.text)
        return output?.exitCode ?? 0
      } catch (error) {
        if (!(error instanceof CommandError) || error.exitCode !== 2) throw error
        const full = `Usage: ${spec.name} ${usage}`.trimEnd()
        throw new CommandError([error.message, full].filter(Boolean).join(' '), 2, error.cause)
      }
    },
  }
}

export const flag = (help?: string): CommandOption<boolean> => ({ help, fallback: false, parse: () => true })

export const text = (placeholder: string, help?: string): CommandOption<string> => ({
  placeholder,
  help,
  accepts: 'a value',
  parse: (value) => value || undefined,
})

export const choice = <Word extends string>(words: readonly Word[], help?: string, placeholder = words.join('|')) => ({
  placeholder,
  help,
  accepts: new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words),
  choices: words,
  parse: (value: string) => words.find((word) => word === value.toLowerCase()),
})

type NumberRange = { readonly min: number; readonly max: number; readonly unit: string; readonly help?: string }

export const wholeNumber = (placeholder: string, { min, max, unit, help }: NumberRange): CommandOption<number> => ({
  placeholder,
  help,
  accepts: `${min} to ${max} ${unit}`,
  parse: (value) =>
    /^\d{1,12}$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined,
})

export const day = (help: string): CommandOption<string> => ({
  ...text('DATE', help),
  accepts: 'a date such as 2026-01-31',
  parse: (value) => (isDay(value) ? value : undefined),
})

export const optional = <Value>(option: CommandOption<Value>): CommandOption<Value | undefined> => ({
  ...option,
  isOptional: true,
})

export const withDefault = <Value>(option: CommandOption<Value>, fallback: Value): CommandOption<Value> => ({
  ...option,
  fallback,
})

const isOptional = ({ isOptional, fallback }: CommandOption<unknown>) => isOptional || fallback !== undefined

function usageOf(args: OptionSet, rest: string | undefined, options: OptionSet): string {
  const bracketed = (words: string, option: CommandOption<unknown>) => (isOptional(option) ? `[${words}]` : words)
  return [
    ...Object.values(args).map((option) => bracketed(option.placeholder ?? '', option)),
    ...(rest ? [`[${rest} …]`] : []),
    ...Object.entries(options).map(([name, option]) => bracketed(optionWords(name, option), option)),
  ].join(' ')
}

const optionWords = (name: string, { placeholder }: CommandOption<unknown>) =>
  `--${name} ${placeholder ?? ''}`.trimEnd()

function describeOptions(args: OptionSet, options: OptionSet): string[] {
  const lines = [
    ...Object.values(args).map((option) => ({ words: option.placeholder ?? '', help: option.help })),
    ...Object.entries(options).map(([name, option]) => ({ words: optionWords(name, option), help: option.help })),
  ].filter(({ help }) => help !== undefined)
  const width = Math.max(...lines.map(({ words }) => words.length), 0)
  return lines.map(({ words, help }) => `  ${words.padEnd(width)}  ${help}`)
}

/** Parses the words after a command's name. Anything unexpected is a usage error. */
function parseInput(words: readonly string[], args: OptionSet, takesRest: boolean, options: OptionSet) {
  const { values, positionals } = splitWords(words, options)
  const names = Object.keys(args)
  const rest = positionals.slice(names.length)
  if (!takesRest && rest.length > 0) throw new CommandError('', 2)
  const input: Record<string, unknown> = { json: false, rest }
  for (const [at, name] of names.entries()) {
    const option = args[name] as CommandOption<unknown>
    if (positionals[at] === undefined && !isOptional(option)) throw new CommandError('', 2)
    input[name] = parseValue(option.placeholder ?? name, option, positionals[at])
  }
  for (const [name, option] of Object.entries(options)) {
    const value = values[name]
    if (!value && !isOptional(option)) throw new CommandError(`--${name} is missing.`, 2)
    input[name] = parseValue(`--${name}`, option, value === undefined ? undefined : String(value))
  }
  return input
}

function splitWords(words: readonly string[], options: OptionSet) {
  const types = Object.entries(options).map(
    ([name, { placeholder }]) => [name, { type: placeholder ? 'string' : 'boolean' }] as const,
  )
  try {
    return parseArgs({ args: [...words], options: Object.fromEntries(types), allowPositionals: true, strict: true })
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error)
    const unknown = /^Unknown option '--(.+)'/.exec(reason)?.[1]
    const closest = unknown && closestWord(unknown, Object.keys(options))
    throw new CommandError(`${reason}.${closest ? ` Did you mean --${closest}?` : ''}`, 2)
  }
}

function parseValue<Value>(name: string, option: CommandOption<Value>, value: string | undefined): Value | undefined {
  if (value === undefined) return option.fallback
  const parsed = option.parse(value)
  if (parsed !== undefined) return parsed
  const closest = closestWord(value, option.choices ?? [])
  const hint = closest ? ` Did you mean "${closest}"?` : ''
  throw new CommandError(`${name} takes ${option.accepts ?? 'another value'}, not "${value}".${hint}`, 2)
}
