import type { TFunction } from 'i18next'
import type { Language } from '../contract/languages.ts'
import { translator } from '../lib/translations.ts'

export type VerificationTexts = {
  readonly language: Language
  readonly timeZone: string
  readonly t: TFunction<['verification', 'codes']>
}

export const verificationTexts = (language: Language, timeZone = 'UTC'): VerificationTexts => ({
  language,
  timeZone,
  t: translator(language, ['verification', 'codes']),
})
