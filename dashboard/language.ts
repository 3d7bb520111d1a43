import { useEffect, useState } from 'react'
import type { SessionWire } from '../src/contract/account.ts'
import type { Language } from '../src/contract/languages.ts'
import { callApi } from './api.ts'
import { browserLanguage, showLanguage, storeLanguage } from './i18n.ts'
import { useApiMutation } from './queries.ts'

/** Shows the page in the language of the person. False until it is known and its texts are loaded. */
export function usePersonLanguage(session: SessionWire | undefined): boolean {
  const [isShown, setShown] = useState(false)
  const language = session?.person.language
  useEffect(() => {
    if (language === undefined) return
    if (language !== null) storeLanguage(language)
    void showLanguage(language ?? browserLanguage()).then(() => setShown(true))
  }, [language])
  return isShown
}

/** Saves the language on the person; the session that is then reloaded shows it. */
export function useChangeLanguage(): (language: Language | null) => void {
  const change = useApiMutation()
  return (language) => {
    storeLanguage(language)
    change.mutate(() => callApi('PATCH /account/profile', { body: { language } }))
  }
}
