/** Languages of the dashboard, the receipt and the verification page, as BCP 47 tags. API errors are in English. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'pl', 'lt', 'vi', 'ko'] as const
export type Language = (typeof LANGUAGES)[number]

export const DEFAULT_LANGUAGE: Language = 'en'

/** Our language for a tag such as `de-AT`; undefined if we do not have it. */
export function findLanguage(tag: string): Language | undefined {
  const base = tag.toLowerCase().split('-', 1)[0]
  return LANGUAGES.find((language) => language === base)
}

/** The first of our languages in an `Accept-Language` header, by its weights; undefined if there is none. */
export function acceptedLanguage(header: string | undefined): Language | undefined {
  const accepted = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';')
      const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
      return { language: findLanguage(tag.trim()), weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ language, weight }) => language !== undefined && weight > 0)
  return accepted.sort((left, right) => right.weight - left.weight)[0]?.language
}
