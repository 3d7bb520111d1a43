import { acceptedLanguage, DEFAULT_LANGUAGE, type Language } from '../../contract/languages.ts'

export type RequestHeaders = { readonly req: { header(name: string): string | undefined } }

/** Language of a message: that of the person, else of the organization's receipts, else of the browser. */
export function mailLanguage(
  c: RequestHeaders,
  personLanguage: Language | null | undefined,
  organizationLanguage: Language | '' = '',
): Language {
  const chosen = personLanguage ?? (organizationLanguage || undefined)
  return chosen ?? acceptedLanguage(c.req.header('accept-language')) ?? DEFAULT_LANGUAGE
}
