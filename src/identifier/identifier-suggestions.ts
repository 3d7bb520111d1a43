import { luhnDigit, meidCheckDigit } from './check-digit.ts'
import { type Identifier, isCheckDigitValid } from './identifier.ts'
import { imeiFromDigits } from './imei.ts'
import { findImsiNetwork } from './imsi.ts'
import { candidateImeis, lettersToDigits } from './near-imei.ts'
import { reportingBodyStatus } from './reporting-body.ts'

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
  const candidates = candidateImeis(text)
  const digits = lettersToDigits(text)
  if (candidates.length === 0 && /^\d{15}$/.test(digits))
    return suggestForCheckDigit(imeiFromDigits(digits), isKnownTac)
  const withKnownTac = candidates.filter((imei) => isKnownTac(imei.slice(0, 8)))
  const others = candidates.filter((imei) => !withKnownTac.includes(imei) && reportingBodyStatus(imei) === 'assigned')
  return [...withKnownTac, ...others].slice(0, MAX_SUGGESTIONS).map((imei) => ({ text: imei, typo: 'misread' }))
}

/** A spreadsheet removes the leading zero of an IMEI that begins with 01; the check digit proves it. */
function suggestLeadingZero(text: string): readonly IdentifierSuggestion[] {
  if (reportingBodyStatus(text) !== 'unallocated' || !text.startsWith('1')) return NO_SUGGESTIONS
  return isCheckDigitValid(imeiFromDigits(`0${text}`)) ? [{ text: `0${text}`, typo: 'leading_zero' }] : NO_SUGGESTIONS
}

/**
 * A different digit at any position could correct the checksum, so a changed digit is suggested only if it turns an
 * unknown TAC into a known one. Swapped neighbours are suggested whenever they correct the checksum, known TACs first.
 * Otherwise the check digit itself was mistyped.
 */
function suggestForCheckDigit(
  identifier: Identifier,
  isKnownTac: (tac: string) => boolean,
): readonly IdentifierSuggestion[] {
  const { text, expectedCheckDigit, form } = identifier
  const computeCheckDigit = form === 'hexadecimal' ? meidCheckDigit : luhnDigit
  const bodyLength = text.length - 1
  const hasCorrectCheckDigit = (candidate: string) =>
    computeCheckDigit(candidate.slice(0, bodyLength)) === candidate.charAt(bodyLength)
  const hasKnownTac = (candidate: string) => identifier.type === 'imei' && isKnownTac(candidate.slice(0, 8))

  const swaps: IdentifierSuggestion[] = []
  for (let at = 0; at < bodyLength; at++) {
    const left = text.charAt(at)
    const right = text.charAt(at + 1)
    if (left === right) continue
    const candidate = text.slice(0, at) + right + left + text.slice(at + 2)
    if (hasCorrectCheckDigit(candidate)) swaps.push({ text: candidate, typo: 'swap' })
  }

  const replacements: IdentifierSuggestion[] = []
  if (identifier.type === 'imei' && !hasKnownTac(text)) {
    for (let at = 0; at < 8; at++) {
      for (const digit of '0123456789') {
        const candidate = text.slice(0, at) + digit + text.slice(at + 1)
        if (candidate !== text && hasCorrectCheckDigit(candidate) && hasKnownTac(candidate))
          replacements.push({ text: candidate, typo: 'digit' })
      }
    }
  }

  const corrected: IdentifierSuggestion = { text: text.slice(0, bodyLength) + expectedCheckDigit, typo: 'check_digit' }
  const likelyTypos = [
    ...swaps.filter(({ text }) => hasKnownTac(text)),
    ...replacements,
    ...swaps.filter(({ text }) => !hasKnownTac(text)),
  ]
  // A mistyped check digit is one error among fifteen: it comes first only if the TAC of the input is known.
  return hasKnownTac(text)
    ? [corrected, ...likelyTypos].slice(0, MAX_SUGGESTIONS)
    : [...likelyTypos.slice(0, MAX_SUGGESTIONS - 1), corrected]
}
