/** Every format `import` understands. To teach it a new one, add a line. */
import { CommandError } from '../errors.ts'
import type { Importer } from './importer.ts'

export const IMPORTERS: readonly Importer[] = []

export function findImporter(format: string): Importer {
  const found = IMPORTERS.find((importer) => importer.format === format.toLowerCase())
  if (found) return found
  const known = IMPORTERS.map((importer) => importer.format).join(', ')
  throw new CommandError(`There is no import format "${format}"; the formats are: ${known}.`, 2)
}
