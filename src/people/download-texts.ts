import { SHEET_NAMESPACES, type SheetTexts } from '../appraisal/sheet-texts.ts'
import { DEFAULT_LANGUAGE, findLanguage } from '../contract/languages.ts'
import { type CsvStyle, csvStyleOf } from '../lib/csv-writer.ts'
import { translator } from '../lib/translations.ts'
import type { SessionContext } from './session-route.ts'

/** Texts and form of a downloaded file in the language of the page, which its links name; English for an API key. */
export function downloadTexts(c: SessionContext): { readonly t: SheetTexts; readonly style: CsvStyle } {
  const language = findLanguage(c.req.query('language') ?? '') ?? DEFAULT_LANGUAGE
  return { t: translator(language, SHEET_NAMESPACES), style: csvStyleOf(language) }
}
