/** What the title of a price column says beside "price": its currency and what it includes. Titles as `columnKey` writes them. */
import { meaningOfSign } from './amount.ts'
import { COLUMN_KEYS } from './column-words.ts'

export const PRICE_QUALIFIERS: ReadonlySet<string> = new Set(COLUMN_KEYS.qualifier)

/** `unit price eur excl vat` without its currency and VAT is `unit price`. */
export const withoutQualifiers = (key: string) =>
  key
    .split(' ')
    .filter((word) => !PRICE_QUALIFIERS.has(word) && meaningOfSign(word) === undefined)
    .join(' ')

/** The sign or code of a currency; empty if the title names none. The first word is one only alone or as a sign: `EUR`, `€/ud`. */
export function currencySignOf(key: string): string {
  const words = key.split(/[ /]+/)
  return (
    words.findLast((word, at) => (at > 0 || words.length === 1 || /\p{Sc}/u.test(word)) && meaningOfSign(word)) ?? ''
  )
}
