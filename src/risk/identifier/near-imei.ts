import type { Identifier } from './identifier.ts'
import { fullImei, imeiOf } from './imei.ts'
import { reportingBody } from './reporting-body.ts'

const SHORTEST = 12
const LONGEST = 17
/** So many digits in a row are an IMEI, whatever stands around them. */
const WHOLE_RUN = /\d{14,16}/
/** So many figures must be there before letters are taken for figures that were misread. */
const LEAST_DIGITS = 10
const MOST_STRANGERS = 2
/** Letters that eyes and scanners take for figures; `compact` has made them upper case, so l is L. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1', S: '5', B: '8' }
const ILLEGIBLE = '?'

/** Letters read as the figures they resemble; a letter that resembles none is one illegible figure. */
export function asFigures(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => LOOK_ALIKES[letter] ?? ILLEGIBLE)
}

/**
 * An IMEI that lost or gained a few characters, or had figures misread as letters. What reads as an IMEI, a MEID or an
 * ESN in its own right is none of these; the caller has looked.
 */
export function isNearImei(text: string): boolean {
  if (text.length < SHORTEST) return false
  if (WHOLE_RUN.test(text)) return true
  if (text.length > LONGEST) return false
  const digits = text.replace(/\D/g, '').length
  const strangers = asFigures(text).split(ILLEGIBLE).length - 1
  if (strangers === 0) return digits >= LEAST_DIGITS
  return strangers <= MOST_STRANGERS && digits >= SHORTEST
}

/**
 * Hexadecimal by a letter B alone, and beginning as IMEIs do once that is read as an 8: no MEID begins like that, except
 * with 99, which IMEIs and MEIDs share.
 */
export function isMisreadMeid(text: string): boolean {
  return /^[\dB]+$/.test(text) && reportingBody(asFigures(text)).standing === 'assigned' && !text.startsWith('99')
}

export function nearImeiOf(text: string): Identifier {
  return { type: 'serial', form: 'near-imei', text, key: text, checkDigit: null, expectedCheckDigit: null }
}

/** Whole IMEIs that the text may stand for, likeliest first. None where the lost figures cannot be known. */
export function nearestImeis(text: string): readonly string[] {
  const figures = asFigures(text)
  const illegible = figures.split(ILLEGIBLE).length - 1
  const nearest = illegible === 0 ? ofFigures(figures) : illegible === 1 ? mendedIllegible(figures) : []
  return [...new Set([...nearest, ...ofRun(text)])]
}

function ofFigures(figures: string): readonly string[] {
  switch (figures.length) {
    case 13:
      // A spreadsheet took the leading zero of an IMEI without check digit.
      return figures.startsWith('1') ? [fullImei(`0${figures}`)] : []
    case 14:
      return [fullImei(figures)]
    case 15:
      return [figures].filter(holds)
    case 16:
      return [fullImei(figures.slice(0, 14)), ...withoutOne(figures)]
    case 17:
      // As phones print it: the IMEI, a stroke and the two digits of the software version.
      return [figures.slice(0, 15)].filter(holds)
    default:
      return []
  }
}

/** An IMEI with other text around it. */
function ofRun(text: string): readonly string[] {
  const run = WHOLE_RUN.exec(text.replace(/^\d+$/, ''))?.[0] ?? ''
  if (run.length === 14) return [fullImei(run)]
  return [run].filter((digits) => digits.length === 15 && holds(digits))
}

/** Of ten figures in one place exactly one makes the sum right; a letter too many is left out. */
function mendedIllegible(figures: string): readonly string[] {
  if (figures.length === 16) return [figures.replace(ILLEGIBLE, '')].filter(holds)
  if (figures.length !== 15) return []
  return [...'0123456789'].map((digit) => figures.replace(ILLEGIBLE, digit)).filter(holds)
}

function withoutOne(figures: string): readonly string[] {
  return [...figures].map((_, at) => figures.slice(0, at) + figures.slice(at + 1)).filter(holds)
}

function holds(imei: string): boolean {
  const { checkDigit, expectedCheckDigit } = imeiOf(imei)
  return checkDigit === expectedCheckDigit
}
