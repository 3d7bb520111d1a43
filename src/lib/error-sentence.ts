import type { TFunction } from 'i18next'
import type { ReasonParams } from './reasons.ts'

export type StatedReason = {
  /** English. */
  readonly message: string
  readonly reason_code?: string | undefined
  readonly params?: ReasonParams | undefined
}

/** Reasons whose English message says more than their sentence. */
const GENERAL = ['technical', 'value_missing', 'value_not_accepted', 'not_found']

/** The sentence of a reason in a language; null for a technical one and for one that the texts do not have. */
export function reasonSentence(
  t: TFunction<never>,
  language: string,
  { message, reason_code: reason = 'technical', params }: StatedReason,
): string | null {
  if (language === 'en' && GENERAL.includes(reason)) return message
  if (reason === 'technical') return null
  const translate = t as unknown as (key: string, options: object) => string
  return translate(`errors:${reason}`, { ...params, defaultValue: '' }) || null
}
