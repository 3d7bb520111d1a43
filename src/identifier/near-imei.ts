import type { Identifier } from './identifier.ts'
import { imeiFromDigits, imeiWithCheckDigit } from './imei.ts'
import { reportingBodyStatus } from './reporting-body.ts'

const MIN_LENGTH = 12
/** Digits alone are a truncated IMEI from this length on. */
const MIN_DIGITS_ALONE = 10
const MAX_LENGTH = 17
/** This many consecutive digits are an IMEI, whatever surrounds them. */
const IMEI_LENGTH_RUN = /\d{14,16}/
/** Minimum number of digits before letters count as misread digits. */
const MIN_DIGITS = 10
const MAX_ILLEGIBLE = 2
/** Letters that people and scanners confuse with digits; the text is upper case, so l is L. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1', S: '5', B: '8' }
const ILLEGIBLE = '?'

/** Replaces letters by the digits they resemble; any other letter becomes an illegible digit. */
export function lettersToDigits(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => LOOK_ALIKES[letter] ?? ILLEGIBLE)
}

/**
 * Whether the text is an IMEI that lost or gained a few characters, or whose digits were misread as letters. The caller
 * has already excluded valid IMEIs, MEIDs and ESNs.
 */
export function isNearImei(text: string): boolean {
  if (text.length < MIN_LENGTH) return text.length >= MIN_DIGITS_ALONE && /^\d+$/.test(text)
  if (IMEI_LENGTH_RUN.test(text)) return true
  if (text.length > MAX_LENGTH) return false
  const digits = text.replace(/\D/g, '').length
  const illegibleCount = lettersToDigits(text).split(ILLEGIBLE).length - 1
  if (illegibleCount === 0) return digits >= MIN_DIGITS
  return illegibleCount <= MAX_ILLEGIBLE && digits >= MIN_LENGTH
}

/**
 * Hexadecimal only because of the letter B, and with the prefix of an IMEI once B is read as 8. No MEID has such a
 * prefix, except 99, which IMEIs and MEIDs share.
 */
export function isImeiMisreadAsMeid(text: string): boolean {
  return /^[\dB]+$/.test(text) && reportingBodyStatus(lettersToDigits(text)) === 'assigned' && !text.startsWith('99')
}

export function nearImeiIdentifier(text: string): Identifier {
  return { type: 'serial', form: 'near-imei', text, key: text, checkDigit: null, expectedCheckDigit: null }
}

/** Complete IMEIs that the text may mean, likeliest first; none if the missing digits cannot be recovered. */
export function candidateImeis(text: string): readonly string[] {
  const digits = lettersToDigits(text)
  const illegibleCount = digits.split(ILLEGIBLE).length - 1
  const candidates =
    illegibleCount === 0 ? candidatesFromDigits(digits) : illegibleCount === 1 ? fillIllegibleDigit(digits) : []
  return [...new Set([...candidates, ...candidatesInText(text)])]
}

function candidatesFromDigits(digits: string): readonly string[] {
  switch (digits.length) {
    case 13:
      // A spreadsheet removed the leading zero of an IMEI without check digit.
      return digits.startsWith('1') ? [imeiWithCheckDigit(`0${digits}`)] : []
    case 14:
      return [imeiWithCheckDigit(digits)]
    case 15:
      return [digits].filter(hasValidCheckDigit)
    case 16:
      return [imeiWithCheckDigit(digits.slice(0, 14)), ...dropEachDigit(digits)]
    case 17:
      // Printed by phones: the IMEI, a slash and the two digits of the software version.
      return [digits.slice(0, 15)].filter(hasValidCheckDigit)
    default:
      return []
  }
}

/** An IMEI with other text around it. */
function candidatesInText(text: string): readonly string[] {
  const run = IMEI_LENGTH_RUN.exec(text.replace(/^\d+$/, ''))?.[0] ?? ''
  if (run.length === 14) return [imeiWithCheckDigit(run)]
  return [run].filter((digits) => digits.length === 15 && hasValidCheckDigit(digits))
}

/** Exactly one of ten digits makes the check digit valid; a surplus letter is dropped. */
function fillIllegibleDigit(digits: string): readonly string[] {
  if (digits.length === 16) return [digits.replace(ILLEGIBLE, '')].filter(hasValidCheckDigit)
  if (digits.length !== 15) return []
  return [...'0123456789'].map((digit) => digits.replace(ILLEGIBLE, digit)).filter(hasValidCheckDigit)
}

function dropEachDigit(digits: string): readonly string[] {
  return [...digits].map((_, at) => digits.slice(0, at) + digits.slice(at + 1)).filter(hasValidCheckDigit)
}

function hasValidCheckDigit(imei: string): boolean {
  const { checkDigit, expectedCheckDigit } = imeiFromDigits(imei)
  return checkDigit === expectedCheckDigit
}
