import { luhnDigit, meidCheckDigit } from './check-digit.ts'
import { type Identifier, isCheckDigitValid } from './identifier.ts'
import { imeiFromDigits } from './imei.ts'
import { findImsiNetwork } from './imsi.ts'
import { candidateImeis, lettersToDigits } from './near-imei.ts'
import { findReportingBody } from './reporting-body.ts'

/** A text one typing error away from the input, with a valid check digit. */
export type IdentifierSuggestion = {
  readonly text: string
  readonly typo: 'swap' | 'digit' | 'check_digit' | 'misread' | 'leading_zero'
}

const MAX_SUGGESTIONS = 3
const NO_SUGGESTIONS: readonly IdentifierSuggestion[] = []

/** Probable intended identifiers, likeliest first; empty if the identifier is valid or cannot be corrected. */
export function suggestIdentifiers(
  identifier: Identifier,
  isKnownTac: (tac: string) => boolean,
): readonly IdentifierSuggestion[] {
  const { form, text } = identifier
  if (form === 'near-imei') return suggestForNearImei(identifier, isKnownTac)
  if (form === 'imei14') return suggestLeadingZero(text)
  if (isCheckDigitValid(identifier) || findImsiNetwork(identifier) !== null) return NO_SUGGESTIONS
  return suggestForCheckDigit(identifier, isKnownTac)
}

function suggestForNearImei(
  { text }: Identifier,
  isKnownTac: (tac: string) => boolean,
): readonly IdentifierSuggestion[] {
  const nearest = candidateImeis(text)
  const figures = lettersToDigits(text)
  if (nearest.length === 0 && /^\d{15}$/.test(figures)) return suggestForCheckDigit(imeiFromDigits(figures), isKnownTac)
  const known = nearest.filter((imei) => isKnownTac(imei.slice(0, 8)))
  const rest = nearest.filter((imei) => !known.includes(imei) && findReportingBody(imei).status === 'assigned')
  return [...known, ...rest].slice(0, MAX_SUGGESTIONS).map((imei) => ({ text: imei, typo: 'misread' }))
}

/** A spreadsheet takes the leading zero of an IMEI that begins with 01, and its check digit proves it. */
function suggestLeadingZero(text: string): readonly IdentifierSuggestion[] {
  if (findReportingBody(text).status !== 'unallocated' || !text.startsWith('1')) return NO_SUGGESTIONS
  return isCheckDigitValid(imeiFromDigits(`0${text}`)) ? [{ text: `0${text}`, typo: 'leading_zero' }] : NO_SUGGESTIONS
}

/**
 * Every position has a digit that would correct the checksum, so a changed digit is only worth naming where it turns an unknown
 * TAC into a known one; two swapped neighbours are named whenever they correct it, those with a known TAC first. Where
 * nothing better is found the check digit itself was mistyped.
 */
function suggestForCheckDigit(
  identifier: Identifier,
  isKnownTac: (tac: string) => boolean,
): readonly IdentifierSuggestion[] {
  const { text, expectedCheckDigit, form } = identifier
  const digitOf = form === 'hexadecimal' ? meidCheckDigit : luhnDigit
  const body = text.length - 1
  const holds = (candidate: string) => digitOf(candidate.slice(0, body)) === candidate.charAt(body)
  const known = (candidate: string) => identifier.type === 'imei' && isKnownTac(candidate.slice(0, 8))

  const swaps: IdentifierSuggestion[] = []
  for (let at = 0; at < body; at++) {
    const left = text.charAt(at)
    const right = text.charAt(at + 1)
    if (left === right) continue
    const candidate = text.slice(0, at) + right + left + text.slice(at + 2)
    if (holds(candidate)) swaps.push({ text: candidate, typo: 'swap' })
  }

  const digits: IdentifierSuggestion[] = []
  if (identifier.type === 'imei' && !known(text)) {
    for (let at = 0; at < 8; at++) {
      for (const digit of '0123456789') {
        const candidate = text.slice(0, at) + digit + text.slice(at + 1)
        if (candidate !== text && holds(candidate) && known(candidate)) digits.push({ text: candidate, typo: 'digit' })
      }
    }
  }

  const corrected: IdentifierSuggestion = { text: text.slice(0, body) + expectedCheckDigit, typo: 'check_digit' }
  const likely = [...swaps.filter(({ text }) => known(text)), ...digits, ...swaps.filter(({ text }) => !known(text))]
  // A mistyped check digit is one error among fifteen: it comes first only if the TAC of the input is known.
  return known(text)
    ? [corrected, ...likely].slice(0, MAX_SUGGESTIONS)
    : [...likely.slice(0, MAX_SUGGESTIONS - 1), corrected]
}
