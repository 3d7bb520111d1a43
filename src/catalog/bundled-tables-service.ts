import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TABLES_FOLDER = join(import.meta.dir, '../../data/catalogue')

/**
 * Text of every bundled family table, in file-name order, which breaks ties in the catalogue order. The build of the
 * executable replaces this module by one that contains the texts.
 */
export function bundledFamilyTables(): readonly string[] {
  const files = readdirSync(TABLES_FOLDER).filter((file) => file.endsWith('.json'))
  return files.sort().map((file) => readFileSync(join(TABLES_FOLDER, file), 'utf8'))
}
