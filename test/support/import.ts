import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandContext } from '../../src/cli/command.ts'
import { CommandError } from '../../src/cli/command-error.ts'
import { importCommand } from '../../src/cli/import.ts'
import { readConfig } from '../../src/config.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/db/database.ts'

export type Imported = {
  readonly code: number
  readonly stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: the figures of an import differ from format to format
  readonly figures: any
}

/** Runs the import command in this process, on a connection of its own, as if another process ran it beside the service. */
export async function importText(
  opening: DatabaseOptions,
  format: string,
  name: string,
  text: string,
): Promise<Imported> {
  const folder = mkdtempSync(join(tmpdir(), 'di-import-'))
  const file = join(folder, name)
  writeFileSync(file, text)
  const printed: string[] = []
  const told: string[] = []
  let db: Promise<Database> | undefined
  const open = () => {
    db ??= openDatabase(opening)
    return db
  }
  const context: CommandContext = {
    config: readConfig({ DATA_DIR: opening.dataDir, DATABASE_URL: opening.url }),
    environment: {},
    now: Date.now,
    print: (line) => void printed.push(line),
    write: async (piece) => void printed.push(piece),
    report: (line) => void told.push(line),
    openExistingDatabase: open,
    openOrCreateDatabase: open,
  }
  try {
    const code = await importCommand.run([format, file, '--json'], context)
    return { code, stderr: told.join('\n'), figures: JSON.parse(printed.join('\n')) }
  } catch (error) {
    const code = error instanceof CommandError ? error.exitCode : 1
    return { code, stderr: [...told, String(error)].join('\n'), figures: undefined }
  } finally {
    await (await db)?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
