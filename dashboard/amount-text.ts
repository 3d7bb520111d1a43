/** Amounts as people type them into fields, in the form of the language of the page: `259,90` or `259.90`. */

import type { Language } from '../src/contract/languages.ts'
import { minorUnitDigits } from '../src/currency/minor-units.ts'
import { currentLanguage, localeOf } from './i18n.ts'

/** Digits with separators; what they mean is read by `readAmountText`. */
export const AMOUNT_PATTERN = '\\s*\\d[\\d\\s.,’]*'

/** An amount in minor units as the value of a field; whole amounts have no decimals. */
export function toAmountText(minor: number, currency: string, language: Language = currentLanguage()): string {
  const digits = minorUnitDigits(currency)
  const amount = minor / 10 ** digits
  return new Intl.NumberFormat(localeOf(language), {
    useGrouping: false,
    minimumFractionDigits: Number.isInteger(amount) ? 0 : digits,
    maximumFractionDigits: digits,
  }).format(amount)
}

/**
 * Minor units of a typed amount; null if it is none. The last of two different separators is the decimal sign. A single one
 * before three digits is what the language means by it, because `1.250` may be a thousand or one and a quarter.
 */
export function readAmountText(text: string, currency: string, language: Language = currentLanguage()): number | null {
  const plain = text.replace(/[\s’]/g, '')
  if (!/^\d[\d.,]*$/.test(plain)) return null
  const decimalSign = decimalSignOf(plain, language)
  const [whole = '', decimals = '', ...more] = decimalSign === null ? [plain] : plain.split(decimalSign)
  if (more.length > 0 || /[.,]/.test(decimals)) return null
  const value = Number(`${whole.replace(/[.,]/g, '')}.${decimals || 0}`)
  return Math.round(value * 10 ** minorUnitDigits(currency))
}

function decimalSignOf(plain: string, language: Language): string | null {
  const signs = [...plain.matchAll(/[.,]/g)].map(([sign]) => sign)
  const last = signs.at(-1)
  if (last === undefined) return null
  if (signs.some((sign) => sign !== last)) return last
  // "1.250.000"
  if (signs.length > 1) return null
  const [, behind = ''] = plain.split(last)
  if (behind.length !== 3) return last
  const ofLanguage = new Intl.NumberFormat(localeOf(language)).format(0.5).charAt(1)
  return last === ofLanguage ? last : null
}
