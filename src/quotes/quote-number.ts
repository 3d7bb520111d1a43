import { QUOTE_ID } from '../contract/quotes.ts'
import { UPPER_DIGITS } from '../lib/id.ts'

const DIGITS = 6

/** `Q-7K4P-2M`: 30 random bits, because nobody should guess the number of another customer. */
export function newQuoteNumber(randomBelow: (limit: number) => number): string {
  const digits = Array.from({ length: DIGITS }, () => UPPER_DIGITS.charAt(randomBelow(UPPER_DIGITS.length))).join('')
  return formatDigits(digits)
}

/** The number as it is stored: I, L and O are read as the digits that they look like. */
export function parseQuoteNumber(text: string): string | null {
  if (!QUOTE_ID.test(text.trim())) return null
  const digits = text.trim().toUpperCase().replaceAll('-', '').slice(1)
  return formatDigits(digits.replace(/[IL]/g, '1').replaceAll('O', '0'))
}

const formatDigits = (digits: string) => `Q-${digits.slice(0, 4)}-${digits.slice(4)}`
