import { useTranslation } from 'react-i18next'
import { findLanguage, LANGUAGES, type Language } from '../../src/contract/languages.ts'
import { LANGUAGE_NAMES } from '../i18n.ts'

/** Each language in its own words; null stands for `automatic`. */
export function LanguageSelect({
  value,
  automatic,
  choose,
  ...rest
}: {
  value: Language | null
  /** Text of the choice that leaves the language open; without it, there is none. */
  automatic?: string
  choose: (language: Language | null) => void
  id?: string
}) {
  const { t } = useTranslation()
  return (
    <select
      aria-label={rest.id ? undefined : t('language.label')}
      {...rest}
      value={value ?? ''}
      onChange={(event) => choose(findLanguage(event.target.value) ?? null)}
    >
      {automatic === undefined ? null : <option value="">{automatic}</option>}
      {LANGUAGES.map((language) => (
        <option key={language} value={language} lang={language}>
          {LANGUAGE_NAMES[language]}
        </option>
      ))}
    </select>
  )
}
