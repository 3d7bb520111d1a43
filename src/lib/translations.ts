import i18next, { type TFunction } from 'i18next'
import type en from '../../dashboard/locales/en.json'
import { memoize } from './memoize.ts'

type Texts = typeof en

/** Each is read on first use: together they are 1.5 MB, and most processes need one or none. */
const TEXTS = {
  en: () => require('../../dashboard/locales/en.json'),
  de: () => require('../../dashboard/locales/de.json'),
  es: () => require('../../dashboard/locales/es.json'),
  fr: () => require('../../dashboard/locales/fr.json'),
  pt: () => require('../../dashboard/locales/pt.json'),
  pl: () => require('../../dashboard/locales/pl.json'),
  lt: () => require('../../dashboard/locales/lt.json'),
  vi: () => require('../../dashboard/locales/vi.json'),
  ko: () => require('../../dashboard/locales/ko.json'),
} satisfies Record<string, () => unknown>

type Language = keyof typeof TEXTS
const FALLBACK: Language = 'en'

/** The texts of one language and of the fallback. */
const translationsOf = memoize(Object.keys(TEXTS).length, (language: Language) => {
  const instance = i18next.createInstance()
  const resources = { [FALLBACK]: TEXTS[FALLBACK](), [language]: TEXTS[language]() }
  void instance.init({
    resources,
    lng: language,
    fallbackLng: FALLBACK,
    initAsync: false,
    // Pages and messages escape.
    interpolation: { escapeValue: false },
  })
  return instance
})

/** Translated texts of the pages and messages that the server renders: verification page and mail. */
export function translator<const Namespaces extends readonly (keyof Texts)[]>(
  language: Language,
  namespaces: Namespaces,
): TFunction<Namespaces> {
  return translationsOf(language).getFixedT(language, namespaces) as unknown as TFunction<Namespaces>
}
