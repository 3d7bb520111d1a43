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

const resources = { en, de, es, fr, pt, pl, lt, vi, ko }
const translations = i18next.createInstance()
let isReady = false

/** Translated texts of the pages and messages that the server renders: verification page and mail. */
export function translator<const Namespaces extends readonly (keyof typeof en)[]>(
  language: keyof typeof resources,
  namespaces: Namespaces,
): TFunction<Namespaces> {
  if (!isReady) {
    void translations.init({
      resources,
      lng: 'en',
      fallbackLng: 'en',
      initAsync: false,
      // Pages and messages escape.
      interpolation: { escapeValue: false },
    })
    isReady = true
  }
  return translations.getFixedT(language, namespaces) as unknown as TFunction<Namespaces>
}
