import i18next, { type TFunction } from 'i18next'
import { useEffect, useState } from 'react'
import type { Language } from '../../../src/contract/languages.ts'
import { type CodeTexts, codeTexts } from '../../codes.ts'
import { type Format, formatIn } from '../../format.ts'
import { currentLanguage, loadLanguage } from '../../i18n.ts'

/** Texts and formats of a printed page, which may be in another language than the dashboard. */
export type PaperTexts = {
  readonly language: Language
  readonly t: TFunction<'appraisals'>
  readonly codes: CodeTexts
  readonly format: Format
  /** False while the language is loading: until then the texts are in the language of the person. */
  readonly isLoaded: boolean
}

/** Texts in the language of the organization's paper, or of the person if it has none. */
export function usePaperTexts(language: Language | ''): PaperTexts {
  const wanted = language || currentLanguage()
  const [loaded, setLoaded] = useState<Language | null>(null)
  useEffect(() => {
    void loadLanguage(wanted).then(() => setLoaded(wanted))
  }, [wanted])
  const shown = loaded === wanted ? wanted : currentLanguage()
  return {
    language: shown,
    t: i18next.getFixedT(shown, 'appraisals'),
    codes: codeTexts(shown),
    format: formatIn(shown),
    isLoaded: loaded === wanted,
  }
}
