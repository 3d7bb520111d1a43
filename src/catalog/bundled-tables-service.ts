import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TABLES_FOLDER = join(import.meta.dir, '../../data/catalogue')

/**
 * The text of every family table on board, in the order the catalogue shows equals. The build of the executable puts
 * the texts here instead.
 */
export function bundledFamilyTables(): readonly string[] {
  const files = readdirSync(TABLES_FOLDER).filter((file) => file.endsWith('.json'))
  return files.sort().map((file) => readFileSync(join(TABLES_FOLDER, file), 'utf8'))
}
