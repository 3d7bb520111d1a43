/** All import formats. To add one, add a line. */
import { catalogueImporter } from './catalogue/catalogue-importer.ts'
import { listsImporter } from './identifier-lists/lists-importer.ts'
import type { Importer } from './importer.ts'
import { observationsImporter } from './prices/observations-importer.ts'
import { ratesImporter } from './prices/rates-importer.ts'
import { openRepairImporter } from './repairs/open-repair-importer.ts'
import { repairsImporter } from './repairs/repairs-importer.ts'
import { tacImporter } from './tac/tac-importer.ts'

export const IMPORTERS: readonly Importer[] = [
  catalogueImporter,
  tacImporter,
  listsImporter,
  observationsImporter,
  ratesImporter,
  repairsImporter,
  openRepairImporter,
]

export function findImporter(format: string): Importer | undefined {
  return IMPORTERS.find((importer) => importer.format === format.toLowerCase())
}
