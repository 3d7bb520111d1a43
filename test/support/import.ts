import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importCommand } from '../../src/cli/import.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { runCommandOn } from './command.ts'

export type Imported = {
  readonly code: number
  readonly stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: the counts of an import differ from format to format
  readonly counts: any
}

/** Runs the import command in this process, on a connection of its own, as if another process ran it beside the service. */
export async function importText(
  opening: DatabaseOptions,
  format: string,
  name: string,
  text: string,
  options: readonly string[] = [],
): Promise<Imported> {
  const folder = mkdtempSync(join(tmpdir(), 'di-import-'))
  const file = join(folder, name)
  writeFileSync(file, text)
  try {
    const { code, stdout, stderr } = await runCommandOn(opening, importCommand, [format, file, '--json', ...options])
    return { code, stderr, counts: stdout === '' ? undefined : JSON.parse(stdout) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
