import i18next, { type TFunction } from 'i18next'
import de from '../../dashboard/locales/de.json'
import en from '../../dashboard/locales/en.json'
import es from '../../dashboard/locales/es.json'
import fr from '../../dashboard/locales/fr.json'
import ko from '../../dashboard/locales/ko.json'
import lt from '../../dashboard/locales/lt.json'
import pl from '../../dashboard/locales/pl.json'
import pt from '../../dashboard/locales/pt.json'
import vi from '../../dashboard/locales/vi.json'
import { DEFAULT_LANGUAGE, type Language } from '../contract/languages.ts'

const translations = i18next.createInstance()
let isReady = false

export type VerificationTexts = { readonly language: Language; readonly t: TFunction<['verification', 'codes']> }

export function verificationTexts(language: Language): VerificationTexts {
  if (!isReady) {
    void translations.init({
      resources: { en, de, es, fr, pt, pl, lt, vi, ko } satisfies Readonly<Record<Language, object>>,
      lng: DEFAULT_LANGUAGE,
      fallbackLng: DEFAULT_LANGUAGE,
      initAsync: false,
      // The page escapes.
      interpolation: { escapeValue: false },
    })
    isReady = true
  }
  return { language, t: translations.getFixedT(language, ['verification', 'codes']) }
}
