/** Every format `import` understands. To teach it a new one, add a line. */
import { CommandError } from '../errors.ts'
import { catalogueImporter } from './catalogue.ts'
import type { Importer } from './importer.ts'
import { listsImporter } from './lists.ts'
import { observationsImporter } from './observations.ts'
import { openRepairImporter } from './open-repair.ts'
import { ratesImporter } from './rates.ts'
import { repairsImporter } from './repairs.ts'
import { tacImporter } from './tac.ts'

export const IMPORTERS: readonly Importer[] = [
  catalogueImporter,
  tacImporter,
  listsImporter,
  observationsImporter,
  ratesImporter,
  repairsImporter,
  openRepairImporter,
]

export function findImporter(format: string): Importer {
  const found = IMPORTERS.find((importer) => importer.format === format.toLowerCase())
  if (found) return found
  const known = IMPORTERS.map((importer) => importer.format).join(', ')
  throw new CommandError(`There is no import format "${format}"; the formats are: ${known}.`, 2)
}
