import { ConfigError, type Environment, loadEnvironment, readConfig } from '../config.ts'
import { type Database, type DatabaseOptions, databaseExists, openDatabase } from '../db/database.ts'
import { isDatabaseUnavailable } from '../db/database-errors.ts'
import { DomainError } from '../lib/errors.ts'
import { VERSION } from '../lib/version.ts'
import type { Command, CommandContext } from './command.ts'
import { CommandError, toCommandError } from './command-error.ts'
import { DatabaseNotFoundError, databaseCreatedMessage } from './database-not-found.ts'
import { type CliOutput, OutputClosedError, openOutput } from './output.ts'

const PROGRAM = 'device-intelligence'

/** Runs a command until its last word is handed over. */
export async function runCommand(
  commands: readonly Command[],
  args: readonly string[],
  environment: Environment,
): Promise<number> {
  const out = openOutput(process.stdout)
  const err = openOutput(process.stderr)
  const tell = (line: string) => void err.write(`${line}\n`).catch(() => {})
  let code: number
  try {
    code = await findAndRun(commands, args, environment, out, tell)
    await out.flushed()
  } catch (error) {
    code = reportError(error, tell)
  }
  await err.flushed().catch(() => {})
  return code
}

/** Finds the command, gives it what it needs, and turns whatever happens into an exit code and one clear sentence. */
async function findAndRun(
  commands: readonly Command[],
  args: readonly string[],
  processEnvironment: Environment,
  out: CliOutput,
  tell: (line: string) => void,
): Promise<number> {
  const print = (line: string) => void out.write(`${line}\n`).catch(() => {})
  if (args.length === 0) {
    tell(overview(commands))
    return 2
  }
  if (args[0] === '--help' || args[0] === '-h' || args[0] === 'help') {
    print(overview(commands))
    return 0
  }
  if (args[0] === '--version') {
    print(VERSION)
    return 0
  }
  const command = findCommand(commands, args)
  if (!command) {
    const group = commands.filter(({ name }) => name.startsWith(`${args[0]} `))
    if (group.length > 0) {
      const asked = args.includes('--help')
      ;(asked ? print : tell)(overview(group))
      return asked ? 0 : 2
    }
    tell(`There is no command "${args[0]}". ${PROGRAM} --help lists them.`)
    return 2
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
      report: tell,
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
        if (isNew) tell(databaseCreatedMessage(opening))
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

function reportError(thrown: unknown, tell: (line: string) => void): number {
  // The reader took what it wanted; nothing went wrong.
  if (thrown instanceof OutputClosedError) return 0
  const error = thrown instanceof DomainError ? toCommandError(thrown) : thrown
  if (error instanceof CommandError) {
    tell(error.message)
    return error.exitCode
  }
  if (error instanceof ConfigError) {
    tell(error.message)
    return 1
  }
  if (isDatabaseUnavailable(error)) {
    tell(
      `The store cannot be used: ${error instanceof Error ? error.message : String(error)}. Check DATA_DIR or DATABASE_URL.`,
    )
    return 1
  }
  tell(
    `Something is wrong in the program itself: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  )
  return 1
}
