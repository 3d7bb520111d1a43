import type { Identifier } from './identifier.ts'
import { imeiFromDigits, imeiWithCheckDigit } from './imei.ts'
import { findReportingBody } from './reporting-body.ts'

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
 * An IMEI that lost or gained a few characters, or had figures misread as letters. What reads as an IMEI, a MEID or an
 * ESN in its own right is none of these; the caller has looked.
 */
export function isNearImei(text: string): boolean {
  if (text.length < MIN_LENGTH) return text.length >= MIN_DIGITS_ALONE && /^\d+$/.test(text)
  if (IMEI_LENGTH_RUN.test(text)) return true
  if (text.length > MAX_LENGTH) return false
  const digits = text.replace(/\D/g, '').length
  const strangers = lettersToDigits(text).split(ILLEGIBLE).length - 1
  if (strangers === 0) return digits >= MIN_DIGITS
  return strangers <= MAX_ILLEGIBLE && digits >= MIN_LENGTH
}

/**
 * Hexadecimal by a letter B alone, and beginning as IMEIs do once that is read as an 8: no MEID begins like that, except
 * with 99, which IMEIs and MEIDs share.
 */
export function isImeiMisreadAsMeid(text: string): boolean {
  return (
    /^[\dB]+$/.test(text) && findReportingBody(lettersToDigits(text)).status === 'assigned' && !text.startsWith('99')
  )
}

export function nearImeiIdentifier(text: string): Identifier {
  return { type: 'serial', form: 'near-imei', text, key: text, checkDigit: null, expectedCheckDigit: null }
}

/** Complete IMEIs that the text may mean, likeliest first; none if the missing digits cannot be recovered. */
export function candidateImeis(text: string): readonly string[] {
  const figures = lettersToDigits(text)
  const illegible = figures.split(ILLEGIBLE).length - 1
  const nearest = illegible === 0 ? candidatesFromDigits(figures) : illegible === 1 ? fillIllegibleDigit(figures) : []
  return [...new Set([...nearest, ...candidatesInText(text)])]
}

function candidatesFromDigits(figures: string): readonly string[] {
  switch (figures.length) {
    case 13:
      // A spreadsheet removed the leading zero of an IMEI without check digit.
      return figures.startsWith('1') ? [imeiWithCheckDigit(`0${figures}`)] : []
    case 14:
      return [imeiWithCheckDigit(figures)]
    case 15:
      return [figures].filter(hasValidCheckDigit)
    case 16:
      return [imeiWithCheckDigit(figures.slice(0, 14)), ...dropEachDigit(figures)]
    case 17:
      // As phones print it: the IMEI, a stroke and the two digits of the software version.
      return [figures.slice(0, 15)].filter(hasValidCheckDigit)
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
function fillIllegibleDigit(figures: string): readonly string[] {
  if (figures.length === 16) return [figures.replace(ILLEGIBLE, '')].filter(hasValidCheckDigit)
  if (figures.length !== 15) return []
  return [...'0123456789'].map((digit) => figures.replace(ILLEGIBLE, digit)).filter(hasValidCheckDigit)
}

function dropEachDigit(figures: string): readonly string[] {
  return [...figures].map((_, at) => figures.slice(0, at) + figures.slice(at + 1)).filter(hasValidCheckDigit)
}

function hasValidCheckDigit(imei: string): boolean {
  const { checkDigit, expectedCheckDigit } = imeiFromDigits(imei)
  return checkDigit === expectedCheckDigit
}
