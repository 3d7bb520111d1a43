import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { DEFAULT_LANGUAGE, findLanguage, LANGUAGES, type Language } from '../src/contract/languages.ts'
import en from './locales/en.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: typeof en
  }
}

/** Each language but English is a file of its own, loaded on first use. */
const LOADERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: Record<string, object> }>>> = {
  de: () => import('./locales/de.json'),
  es: () => import('./locales/es.json'),
  fr: () => import('./locales/fr.json'),
  pt: () => import('./locales/pt.json'),
  pl: () => import('./locales/pl.json'),
  lt: () => import('./locales/lt.json'),
  vi: () => import('./locales/vi.json'),
  ko: () => import('./locales/ko.json'),
}

/** Each language in its own words. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  pl: 'Polski',
  lt: 'Lietuvių',
  vi: 'Tiếng Việt',
  ko: '한국어',
}

const STORAGE_KEY = 'language'
const browserTags = () => globalThis.navigator?.languages ?? []

void i18next.use(initReactI18next).init({
  lng: DEFAULT_LANGUAGE,
  fallbackLng: DEFAULT_LANGUAGE,
  supportedLngs: LANGUAGES,
  defaultNS: 'common',
  resources: { en },
  initAsync: false,
  // React escapes.
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
})
// `{{count, number}}` is written as in the region of the browser, not only as in the language.
i18next.services.formatter?.addCached('number', (language) => {
  const format = new Intl.NumberFormat(localeOf(language as Language))
  return (value: number) => format.format(value)
})

/** The region of the browser if it speaks the language: `de-AT` for German in an Austrian browser. */
export function localeOf(language: Language): string {
  return browserTags().find((tag) => findLanguage(tag) === language) ?? (language === 'en' ? 'en-US' : language)
}

export const currentLanguage = () => i18next.language as Language

/** Language of someone who has not chosen one: the last of this browser, or the first of its settings that we have. */
export function browserLanguage(): Language {
  const stored = findLanguage(localStorage.getItem(STORAGE_KEY) ?? '')
  return stored ?? browserTags().map(findLanguage).find(Boolean) ?? DEFAULT_LANGUAGE
}

/** Keeps the language for the sign-in page of this browser; null forgets it. */
export function storeLanguage(language: Language | null): void {
  if (language === null) localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, language)
}

/** Loads the texts of a language. If that fails, they stay English. */
export async function loadLanguage(language: Language): Promise<void> {
  if (language === 'en' || i18next.hasResourceBundle(language, 'common')) return
  const catalogue = await LOADERS[language]().catch(() => undefined)
  for (const [namespace, texts] of Object.entries(catalogue?.default ?? {})) {
    i18next.addResourceBundle(language, namespace, texts)
  }
}

/** Shows the page in a language. */
export async function showLanguage(language: Language): Promise<void> {
  await loadLanguage(language)
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}
