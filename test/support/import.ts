import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Opening } from '../../src/db/open.ts'
import { runProgram } from './program.ts'

export type Imported = {
  readonly code: number
  readonly stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: the figures of an import differ from format to format
  readonly figures: any
}

/** Imports a text with the real program while whatever else runs on that store goes on running. */
export async function importText(opening: Opening, format: string, name: string, text: string): Promise<Imported> {
  const file = join(mkdtempSync(join(tmpdir(), 'di-import-')), name)
  writeFileSync(file, text)
  const ran = await runProgram(['import', format, file, '--json'], {
    DATA_DIR: opening.dataDir,
    DATABASE_URL: opening.url,
  })
  return { code: ran.code, stderr: ran.stderr, figures: ran.stdout ? JSON.parse(ran.stdout) : undefined }
}
