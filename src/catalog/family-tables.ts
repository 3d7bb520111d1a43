import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dir, '../../data/catalogue')

/**
 * The text of every family table on board, in the order the catalogue shows equals. The build of the executable puts
 * the texts here instead.
 */
export function familyTables(): readonly string[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'))
  return files.sort().map((file) => readFileSync(join(FOLDER, file), 'utf8'))
}
