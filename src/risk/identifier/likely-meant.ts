import { luhnDigit, meidCheckDigit } from './check-digit.ts'
import { checkDigitHolds, type Identifier } from './identifier.ts'
import { imeiOf } from './imei.ts'
import { findImsi } from './imsi.ts'
import { asFigures, nearestImeis } from './near-imei.ts'
import { reportingBody } from './reporting-body.ts'

/** A text one slip away from the one sent, whose check digit holds. */
export type Suggestion = {
  readonly text: string
  readonly slip: 'swap' | 'digit' | 'check_digit' | 'misread' | 'leading_zero'
}

const MOST = 3
const NONE: readonly Suggestion[] = []

/** What was probably meant, likeliest first; nothing where the identifier is whole or where nobody can know. */
export function likelyMeant(identifier: Identifier, isKnownTac: (tac: string) => boolean): readonly Suggestion[] {
  const { form, text } = identifier
  if (form === 'near-imei') return ofNearImei(identifier, isKnownTac)
  if (form === 'imei14') return ofLostZero(text)
  if (checkDigitHolds(identifier) || findImsi(identifier) !== null) return NONE
  return ofCheckDigit(identifier, isKnownTac)
}

function ofNearImei({ text }: Identifier, isKnownTac: (tac: string) => boolean): readonly Suggestion[] {
  const nearest = nearestImeis(text)
  const figures = asFigures(text)
  if (nearest.length === 0 && /^\d{15}$/.test(figures)) return ofCheckDigit(imeiOf(figures), isKnownTac)
  const known = nearest.filter((imei) => isKnownTac(imei.slice(0, 8)))
  const rest = nearest.filter((imei) => !known.includes(imei) && reportingBody(imei).standing === 'assigned')
  return [...known, ...rest].slice(0, MOST).map((imei) => ({ text: imei, slip: 'misread' }))
}

/** A spreadsheet takes the leading zero of an IMEI that begins with 01, and its check digit proves it. */
function ofLostZero(text: string): readonly Suggestion[] {
  if (reportingBody(text).standing !== 'unallocated' || !text.startsWith('1')) return NONE
  return checkDigitHolds(imeiOf(`0${text}`)) ? [{ text: `0${text}`, slip: 'leading_zero' }] : NONE
}

/**
 * Every position has a digit that would mend the sum, so a changed digit is only worth naming where it turns an unknown
 * TAC into a known one; two swapped neighbours are named whenever they mend it, those with a known TAC first. Where
 * nothing better is found the check digit itself was mistyped.
 */
function ofCheckDigit(identifier: Identifier, isKnownTac: (tac: string) => boolean): readonly Suggestion[] {
  const { text, expectedCheckDigit, form } = identifier
  const digitOf = form === 'hexadecimal' ? meidCheckDigit : luhnDigit
  const body = text.length - 1
  const holds = (candidate: string) => digitOf(candidate.slice(0, body)) === candidate.charAt(body)
  const known = (candidate: string) => identifier.type === 'imei' && isKnownTac(candidate.slice(0, 8))

  const swaps: Suggestion[] = []
  for (let at = 0; at < body; at++) {
    const left = text.charAt(at)
    const right = text.charAt(at + 1)
    if (left === right) continue
    const candidate = text.slice(0, at) + right + left + text.slice(at + 2)
    if (holds(candidate)) swaps.push({ text: candidate, slip: 'swap' })
  }

  const digits: Suggestion[] = []
  if (identifier.type === 'imei' && !known(text)) {
    for (let at = 0; at < 8; at++) {
      for (const digit of '0123456789') {
        const candidate = text.slice(0, at) + digit + text.slice(at + 1)
        if (candidate !== text && holds(candidate) && known(candidate)) digits.push({ text: candidate, slip: 'digit' })
      }
    }
  }

  const mended: Suggestion = { text: text.slice(0, body) + expectedCheckDigit, slip: 'check_digit' }
  const likely = [...swaps.filter(({ text }) => known(text)), ...digits, ...swaps.filter(({ text }) => !known(text))]
  // The last digit mistyped is one slip among fifteen: first only where the TAC as sent is known.
  return known(text) ? [mended, ...likely].slice(0, MOST) : [...likely.slice(0, MOST - 1), mended]
}
