import i18next, { type TFunction } from 'i18next'
import deCodes from '../../dashboard/locales/de/codes.json'
import deTexts from '../../dashboard/locales/de/verification.json'
import enCodes from '../../dashboard/locales/en/codes.json'
import enTexts from '../../dashboard/locales/en/verification.json'
import esCodes from '../../dashboard/locales/es/codes.json'
import esTexts from '../../dashboard/locales/es/verification.json'
import frCodes from '../../dashboard/locales/fr/codes.json'
import frTexts from '../../dashboard/locales/fr/verification.json'
import koCodes from '../../dashboard/locales/ko/codes.json'
import koTexts from '../../dashboard/locales/ko/verification.json'
import ltCodes from '../../dashboard/locales/lt/codes.json'
import ltTexts from '../../dashboard/locales/lt/verification.json'
import plCodes from '../../dashboard/locales/pl/codes.json'
import plTexts from '../../dashboard/locales/pl/verification.json'
import ptCodes from '../../dashboard/locales/pt/codes.json'
import ptTexts from '../../dashboard/locales/pt/verification.json'
import viCodes from '../../dashboard/locales/vi/codes.json'
import viTexts from '../../dashboard/locales/vi/verification.json'
import { DEFAULT_LANGUAGE, type Language } from '../contract/languages.ts'

/** Texts of the verification page: its own, and those for codes of the API. */
const RESOURCES = {
  en: { verification: enTexts, codes: enCodes },
  de: { verification: deTexts, codes: deCodes },
  es: { verification: esTexts, codes: esCodes },
  fr: { verification: frTexts, codes: frCodes },
  pt: { verification: ptTexts, codes: ptCodes },
  pl: { verification: plTexts, codes: plCodes },
  lt: { verification: ltTexts, codes: ltCodes },
  vi: { verification: viTexts, codes: viCodes },
  ko: { verification: koTexts, codes: koCodes },
} as const satisfies Readonly<Record<Language, object>>

const translations = i18next.createInstance()
let isReady = false

export type VerificationTexts = { readonly language: Language; readonly t: TFunction<['verification', 'codes']> }

export function verificationTexts(language: Language): VerificationTexts {
  if (!isReady) {
    void translations.init({
      resources: RESOURCES,
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
