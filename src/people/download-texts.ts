import { SHEET_NAMESPACES, type SheetTexts } from '../appraisal/sheet-texts.ts'
import { DEFAULT_LANGUAGE, findLanguage } from '../contract/languages.ts'
import { translator } from '../lib/translations.ts'
import type { SessionContext } from './session-route.ts'

/** Texts of a downloaded file in the language of the page, which its links name; English for an API key. */
export const downloadTexts = (c: SessionContext): SheetTexts =>
  translator(findLanguage(c.req.query('language') ?? '') ?? DEFAULT_LANGUAGE, SHEET_NAMESPACES)
