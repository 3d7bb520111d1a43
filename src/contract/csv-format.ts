import { z } from 'zod'
import { DEFAULT_LANGUAGE, LANGUAGES } from './languages.ts'

/** Parameters of a list that is also a CSV file; its endpoint names the `csvPermission`. */
export const csvFormatParameters = {
  format: z
    .enum(['json', 'csv'], { error: 'json or csv' })
    .default('json')
    .describe('`csv` returns all matching records as a file, without pages.'),
  language: z
    .enum(LANGUAGES, { error: `one of ${LANGUAGES.join(', ')}` })
    .default(DEFAULT_LANGUAGE)
    .describe('Language of the column titles and words of the CSV file, and of its separators.'),
}

export const isCsvRequest = (query: unknown): boolean => (query as { readonly format?: string }).format === 'csv'
