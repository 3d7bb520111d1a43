import { z } from 'zod'
import { DEFAULT_LANGUAGE, LANGUAGES } from './languages.ts'

export const fileLanguage = z
  .enum(LANGUAGES, { error: `one of ${LANGUAGES.join(', ')}` })
  .default(DEFAULT_LANGUAGE)
  .describe('Language of the column titles and words of the file, and of the separators of a CSV file.')

/** Parameters of a list that is also a CSV file; its endpoint names the `csvPermission`. */
export const csvFormatParameters = {
  format: z
    .enum(['json', 'csv'], { error: 'json or csv' })
    .default('json')
    .describe('`csv` returns all matching records as a file, without pages.'),
  language: fileLanguage,
}

/** Parameters of a list that is also a CSV file or a spreadsheet. */
export const sheetFormatParameters = {
  format: z
    .enum(['json', 'csv', 'xlsx'], { error: 'json, csv or xlsx' })
    .default('json')
    .describe('`csv` and `xlsx` return all matching records as a file, without pages.'),
  language: fileLanguage,
}

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Whether an endpoint with these parameters also returns a spreadsheet. */
export const offersSpreadsheet = (query: z.ZodType): boolean =>
  query instanceof z.ZodObject && query.shape.format === sheetFormatParameters.format

/** Whether the response is a file. */
export const isFileRequest = (query: unknown): boolean =>
  ['csv', 'xlsx'].includes((query as { readonly format?: string }).format ?? '')
