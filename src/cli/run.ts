import { userInfo } from 'node:os'
import { type Actor, commandLineActor } from '../auth/actor.ts'
import { ConfigError, type Environment, loadEnvironment, readConfig } from '../config.ts'
import { type Database, type DatabaseOptions, databaseExists, openDatabase, sqlitePath } from '../db/database.ts'
import { isDamaged, isDatabaseUnavailable } from '../db/database-errors.ts'
import { explainOpenError } from '../db/open-errors.ts'
import { closestWord } from '../lib/edit-distance.ts'
import { DomainError } from '../lib/errors.ts'
import { VERSION } from '../lib/version.ts'
import type { Command, CommandContext } from './command.ts'
import { CommandError, DatabaseNotFoundError, databaseCreatedMessage, toCommandError } from './command-error.ts'
import { type CliOutput, OutputClosedError, openOutput } from './output.ts'

const PROGRAM = 'device-intelligence'

export type OutputStreams = { readonly stdout: NodeJS.WritableStream; readonly stderr: NodeJS.WritableStream }

/** Runs a command and resolves with its exit code once all output is handed over. */
export async function runCommand(
  commands: readonly Command[],
  args: readonly string[],
  environment: Environment,
  { stdout, stderr }: OutputStreams = process,
): Promise<number> {
  const out = openOutput(stdout)
  const err = openOutput(stderr)
  const print = (line: string) => void out.write(`${line}\n`).catch(() => {})
  const report = (line: string) => void err.write(`${line}\n`).catch(() => {})
  let code: number
  try {
    code = await findAndRun(commands, args, environment, out, report)
    await out.flushed()
  } catch (thrown) {
    // The reader closed the pipe, as `head` does; nothing went wrong.
    if (thrown instanceof OutputClosedError) code = 0
    else {
      const error = describeError(thrown)
      code = error.exitCode
      report(error.message)
      if (args.includes('--json')) print(JSON.stringify({ error: { code: error.code, message: error.message } }))
      await out.flushed().catch(() => {})
    }
  }
  await err.flushed().catch(() => {})
  return code
}

async function findAndRun(
  commands: readonly Command[],
  args: readonly string[],
  processEnvironment: Environment,
  out: CliOutput,
  report: (line: string) => void,
): Promise<number> {
  const print = (line: string) => void out.write(`${line}\n`).catch(() => {})
  const help = helpFor(commands, args)
  if (help !== undefined) {
    print(help)
    return 0
  }
  const command = findCommand(commands, args)
  if (!command) throw unknownCommand(commands.filter(isListed), args)
  const words = args.slice(command.name.split(' ').length)
  let db: Promise<Database> | undefined
  try {
    const environment = loadEnvironment(processEnvironment)
    const config = readConfig(environment)
    const options: DatabaseOptions = { url: config.databaseUrl, dataDir: config.dataDir }
    const open = () => {
      db ??= openDatabase(options)
      return db
    }
    const context: CommandContext = {
      config,
      environment,
      print,
      report,
      now: Date.now,
      write: out.write,
      actor: currentActor(),
      async openExistingDatabase() {
        if (!(await databaseExists(options))) throw new DatabaseNotFoundError(options)
        return open()
      },
      async openOrCreateDatabase() {
        const isNew = !(await databaseExists(options))
        const opened = await open()
        if (isNew) report(databaseCreatedMessage(options))
        return opened
      },
    }
    return await command.run(words, context).catch((error) => throwIfDamaged(error, options))
  } finally {
    await db?.then((opened) => opened.close()).catch(() => {})
  }
}

/** A damaged page is often found long after the database was opened. */
function throwIfDamaged(error: unknown, { url, dataDir }: DatabaseOptions): never {
  throw url === '' && isDamaged(error)
    ? (explainOpenError(error, { url, dataDir, file: sqlitePath(dataDir) }) ?? error)
    : error
}

/** The system user who runs this command; null for a user id without a name, as in containers. */
function currentActor(): Actor {
  try {
    return commandLineActor(userInfo().username)
  } catch {
    return commandLineActor(null)
  }
}

const isListed = ({ isFormOfAnother }: Command) => !isFormOfAnother

/** The text of `--help` or `--version`, if that was requested. */
function helpFor(commands: readonly Command[], args: readonly string[]): string | undefined {
  if (args[0] === '--version') return VERSION
  if (args[0] === 'help') return overview(commands.filter(isListed))
  if (!args.includes('--help') && !args.includes('-h')) return undefined
  const command = findCommand(commands, args)
  if (command) {
    const usage = `${PROGRAM} ${command.name} ${command.usage}`.trimEnd()
    return [usage, '', command.help, command.details].join('\n').trimEnd()
  }
  const group = commands.filter(isListed).filter(({ name }) => name.startsWith(`${args[0]} `))
  if (group.length > 0) return overview(group)
  return args[0]?.startsWith('-') ? overview(commands.filter(isListed)) : undefined
}

/** The longest name counts: "import list" is not an import of the format "list". */
function findCommand(commands: readonly Command[], args: readonly string[]): Command | undefined {
  const matches = commands.filter(({ name }) => name.split(' ').every((word, at) => args[at] === word))
  return matches.sort((one, other) => other.name.length - one.name.length)[0]
}

function overview(commands: readonly Command[]): string {
  const lines = commands.map(({ name, usage, help }) => `  ${`${name} ${usage}`.trimEnd()}\n      ${help}`)
  return `${PROGRAM} <command> [--help]\n\n${lines.join('\n')}`
}

function unknownCommand(commands: readonly Command[], args: readonly string[]): CommandError {
  const group = commands.filter(({ name }) => name.startsWith(`${args[0]} `))
  const isGroup = group.length > 0
  if (args.length === 0 || (isGroup && args.length === 1))
    return new CommandError(overview(isGroup ? group : commands), 2)
  const words = args.filter((arg) => !arg.startsWith('-'))
  const typed = words.slice(0, isGroup ? 2 : 1).join(' ')
  const names = commands.map(({ name }) => name)
  const firstWords = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))]
  // Both as typed and with the next word: "ogr create" is close to "org create", "statsu" to "status".
  const closest = closestWord(words.slice(0, 2).join(' '), names) ?? closestWord(typed, firstWords)
  const hint = closest ? ` Did you mean "${closest}"?` : ''
  const help = `${PROGRAM} ${isGroup ? `${args[0]} ` : ''}--help`
  return new CommandError(`There is no command "${typed}".${hint} ${help} lists them.`, 2)
}

type FailedCommand = { readonly code: string; readonly message: string; readonly exitCode: number }

function describeError(thrown: unknown): FailedCommand {
  const error = thrown instanceof DomainError ? toCommandError(thrown) : thrown
  if (error instanceof CommandError) {
    const { cause, message, exitCode } = error
    const code = error.code ?? (cause instanceof DomainError ? cause.code : exitCode === 2 ? 'usage' : 'failed')
    return { code, message, exitCode }
  }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof ConfigError) return { code: 'config', message, exitCode: 1 }
  if (isDatabaseUnavailable(error)) {
    const text = `Database unavailable: ${message}. Check DATA_DIR or DATABASE_URL.`
    return { code: 'database_unavailable', message: text, exitCode: 1 }
  }
  const stack = error instanceof Error ? (error.stack ?? message) : message
  return { code: 'internal', message: `Unexpected error, probably a bug: ${stack}`, exitCode: 1 }
}
