/** Every format `import` understands. To teach it a new one, add a line. */
import { CommandError } from '../errors.ts'
import { catalogueImporter } from './catalogue/catalogue-importer.ts'
import type { Importer } from './importer.ts'
import { listsImporter } from './lists/lists-importer.ts'
import { tacImporter } from './lists/tac-importer.ts'
import { observationsImporter } from './market/observations-importer.ts'
import { ratesImporter } from './market/rates-importer.ts'
import { openRepairImporter } from './repairs/open-repair-importer.ts'
import { repairsImporter } from './repairs/repairs-importer.ts'

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
