import type { TFunction } from 'i18next'
import type { Language } from '../contract/languages.ts'
import { translator } from '../lib/translations.ts'

export type VerificationTexts = { readonly language: Language; readonly t: TFunction<['verification', 'codes']> }

export const verificationTexts = (language: Language): VerificationTexts => ({
  language,
  t: translator(language, ['verification', 'codes']),
})
