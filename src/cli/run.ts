import { ConfigError, type Environment, loadEnvironment, readConfig } from '../config.ts'
import { type Database, type DatabaseOptions, databaseExists, openDatabase } from '../db/database.ts'
import { isDatabaseUnavailable } from '../db/database-errors.ts'
import { closestWord } from '../lib/edit-distance.ts'
import { DomainError } from '../lib/errors.ts'
import { VERSION } from '../lib/version.ts'
import type { Command, CommandContext } from './command.ts'
import { CommandError, toCommandError } from './command-error.ts'
import { DatabaseNotFoundError, databaseCreatedMessage } from './database-not-found.ts'
import { type CliOutput, OutputClosedError, openOutput } from './output.ts'

const PROGRAM = 'device-intelligence'

/** Runs a command and resolves with its exit code once all output is handed over. */
export async function runCommand(
  commands: readonly Command[],
  args: readonly string[],
  environment: Environment,
): Promise<number> {
  const out = openOutput(process.stdout)
  const err = openOutput(process.stderr)
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

/** Finds the command and runs it with what it needs. */
async function findAndRun(
  commands: readonly Command[],
  args: readonly string[],
  processEnvironment: Environment,
  out: CliOutput,
  report: (line: string) => void,
): Promise<number> {
  const print = (line: string) => void out.write(`${line}\n`).catch(() => {})
  const listed = commands.filter(({ isInternal }) => !isInternal)
  if (args.length === 0) {
    report(overview(listed))
    return 2
  }
  if (args[0] === '--help' || args[0] === '-h' || args[0] === 'help') {
    print(overview(listed))
    return 0
  }
  if (args[0] === '--version') {
    print(VERSION)
    return 0
  }
  const command = findCommand(commands, args)
  if (!command) {
    const group = listed.filter(({ name }) => name.startsWith(`${args[0]} `))
    if (group.length > 0 && args.includes('--help')) {
      print(overview(group))
      return 0
    }
    if (group.length > 0 && args.length === 1) throw new CommandError(overview(group), 2)
    throw unknownCommand(listed, args, group.length > 0)
  }
  const rest = args.slice(command.name.split(' ').length)
  if (rest.includes('--help') || rest.includes('-h')) {
    print(
      [`${PROGRAM} ${command.name} ${command.usage}`.trimEnd(), '', command.help, command.details ?? '']
        .join('\n')
        .trimEnd(),
    )
    return 0
  }
  let store: Promise<Database> | undefined
  try {
    const environment = loadEnvironment(processEnvironment)
    const config = readConfig(environment)
    const { databaseUrl: url, databaseReplicaUrl: replicaUrl, databasePool: connections, dataDir } = config
    const opening: DatabaseOptions = { url, replicaUrl, maxConnections: connections, dataDir }
    const context: CommandContext = {
      config,
      environment,
      now: Date.now,
      print,
      report,
      write: out.write,
      async openExistingDatabase() {
        if (!(await databaseExists(opening))) throw new DatabaseNotFoundError(opening)
        store ??= openDatabase(opening)
        return store
      },
      async openOrCreateDatabase() {
        const isNew = !(await databaseExists(opening))
        store ??= openDatabase(opening)
        await store
        if (isNew) report(databaseCreatedMessage(opening))
        return store
      },
    }
    return await command.run(rest, context)
  } finally {
    await store?.then((opened) => opened.close()).catch(() => {})
  }
}

function findCommand(commands: readonly Command[], args: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, at) => args[at] === word))
}

function overview(commands: readonly Command[]): string {
  const lines = commands.map(({ name, usage, help }) => `  ${`${name} ${usage}`.trimEnd()}\n      ${help}`)
  return `${PROGRAM} <command> [--help]\n\n${lines.join('\n')}`
}

function unknownCommand(commands: readonly Command[], args: readonly string[], isGroup: boolean): CommandError {
  const words = args.filter((arg) => !arg.startsWith('-'))
  const typed = words.slice(0, isGroup ? 2 : 1).join(' ')
  // Both as typed and with the next word: "ogr create" is close to "org create", "statsu" to "status".
  const groups = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
  const closest =
    closestWord(
      words.slice(0, 2).join(' '),
      commands.map(({ name }) => name),
    ) ?? closestWord(typed, groups)
  const hint = closest ? ` Did you mean "${closest}"?` : ''
  const help = `${PROGRAM} ${isGroup ? `${args[0]} ` : ''}--help`
  return new CommandError(`There is no command "${typed}".${hint} ${help} lists them.`, 2)
}

type FailedCommand = { readonly code: string; readonly message: string; readonly exitCode: number }

function describeError(thrown: unknown): FailedCommand {
  const error = thrown instanceof DomainError ? toCommandError(thrown) : thrown
  if (error instanceof CommandError) {
    const { cause, message, exitCode } = error
    const code = cause instanceof DomainError ? cause.code : exitCode === 2 ? 'usage' : 'failed'
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
