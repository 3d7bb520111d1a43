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
  return translate(`errors:${reason}`, { ...withAmounts(params, language), defaultValue: '' }) || null
}

/** Beside a `currency`, numbers are amounts in its minor units. */
function withAmounts(params: ReasonParams | undefined, language: string): ReasonParams | undefined {
  if (typeof params?.currency !== 'string') return params
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: params.currency })
  const minorUnits = 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2)
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'number' ? format.format(value / minorUnits) : value,
    ]),
  )
}
