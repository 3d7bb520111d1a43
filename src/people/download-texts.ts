import { DEFAULT_LANGUAGE, findLanguage } from '../contract/languages.ts'
import { csvTexts } from '../http/csv-response.ts'
import type { SessionContext } from './session-route.ts'

/** Texts and form of a downloaded file in the language of the page, which its links name; English for an API key. */
export const downloadTexts = (c: SessionContext) =>
  csvTexts(findLanguage(c.req.query('language') ?? '') ?? DEFAULT_LANGUAGE)
