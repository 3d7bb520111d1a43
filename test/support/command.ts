import { userInfo } from 'node:os'
import { commandLineActor } from '../../src/auth/actor.ts'
import type { Command, CommandContext } from '../../src/cli/command.ts'
import { CommandError, toCommandError } from '../../src/cli/command-error.ts'
import { type Environment, readConfig } from '../../src/config.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/db/database.ts'
import { DomainError } from '../../src/lib/errors.ts'
import { secretKeyFor } from './secret-key.ts'

export type CommandResult = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Runs a command in this process, on a connection of its own, as if another process ran it beside the service. */
export async function runCommandOn(
  opening: DatabaseOptions,
  command: Command,
  args: readonly string[],
  environment: Environment = {},
): Promise<CommandResult> {
  const printed: string[] = []
  const reported: string[] = []
  let db: Promise<Database> | undefined
  const open = () => {
    db ??= openDatabase(opening)
    return db
  }
  const context: CommandContext = {
    config: readConfig({
      SECRET_KEY: secretKeyFor(opening.url),
      ...environment,
      DATA_DIR: opening.dataDir,
      DATABASE_URL: opening.url,
    }),
    environment,
    now: Date.now,
    actor: commandLineActor(userInfo().username),
    print: (line) => void printed.push(`${line}\n`),
    write: async (piece) => void printed.push(piece),
    report: (line) => void reported.push(line),
    openExistingDatabase: open,
    openOrCreateDatabase: open,
  }
  const result = (code: number) => ({ code, stdout: printed.join(''), stderr: reported.join('\n') })
  try {
    return result(await command.run(args, context))
  } catch (thrown) {
    const error = thrown instanceof DomainError ? toCommandError(thrown) : thrown
    reported.push(error instanceof Error ? error.message : String(error))
    // The program exits with 1 on any other error.
    return result(error instanceof CommandError ? error.exitCode : 1)
  } finally {
    await (await db)?.close()
  }
}
