/** Finds devices by model number, identifier or part number. */

import { memoize } from '../../lib/memoize.ts'
import type { TimeSliced } from '../../lib/time-sliced.ts'
import type { Device, Variant } from '../device.ts'
import { DEVICES_PER_SLICE, type IndexedDevice } from './device-name-index.ts'

export type CodeMatch = {
  readonly indexed: IndexedDevice
  readonly variant: Variant | null
  /** The code is short enough to occur at other makes: it counts only if the title names the make. */
  readonly needsMake: boolean
}

export type CodeMatches = {
  readonly matches: readonly CodeMatch[]
  /** The text with its codes replaced by blanks. */
  readonly remainingText: string
  /** Position of the first code. */
  readonly position: number
}

export type ModelCodeIndex = {
  /** Devices of the codes in the text, and the text without the codes. Null if it contains no code. */
  find(text: string, make: string | null): CodeMatches | null
}

/** The cache is bounded because callers choose the texts. */
const MAX_CACHED_CODES = 20_000
const CODE_PATTERN = /^(?=.*\d)(?=.*[A-Z])[A-Z0-9]{4,}$/
const APPLE_PART_NUMBER = /^([A-Z0-9]{5})[A-Z]{1,2}\/[A-Z]$/
const APPLE_IDENTIFIER = /^([A-Z]+)(\d{1,2}),(\d{1,2})$/

export function* buildCodeIndex(devices: readonly IndexedDevice[]): TimeSliced<ModelCodeIndex> {
  const byCode = new Map<string, CodeMatch[]>()
  const add = (code: string, match: CodeMatch) => {
    const matches = byCode.get(code)
    if (!matches) byCode.set(code, [match])
    else if (!matches.some((other) => other.indexed === match.indexed && other.variant === match.variant))
      matches.push(match)
  }
  for (const [at, indexed] of devices.entries()) {
    if (at % DEVICES_PER_SLICE === 0) yield
    for (const code of listCodes(indexed.device))
      add(code, {
        indexed,
        variant: null,
        needsMake: code.length <= 5 && indexed.make !== 'apple' && !code.includes(ANY_DIGITS),
      })
    for (const variant of indexed.device.variants) {
      for (const part of variant.partNumbers) {
        const code = part.toUpperCase()
        add(APPLE_PART_NUMBER.exec(code)?.[1] ?? code.replaceAll('-', ''), { indexed, variant, needsMake: false })
      }
    }
  }
  const lookUp = memoize(MAX_CACHED_CODES, (code: string) => ({
    matches:
      byCode.get(APPLE_PART_NUMBER.exec(code)?.[1] ?? code.replaceAll('-', '')) ??
      byCode.get(baseCode(code)) ??
      codeFamilies(code)
        .map((family) => byCode.get(family))
        .find((matches) => matches !== undefined) ??
      [],
    hasCodeForm: looksLikeCode(code),
    // "A600F" without "SM-" looks like codes of other makes.
    isBareSamsung: !code.startsWith('SM') && baseCode(code) !== '',
  }))
  return {
    find(text, make) {
      const isPlausible = ({ needsMake, indexed: { make: deviceMake, device } }: CodeMatch, isBareSamsung: boolean) =>
        !(needsMake || isBareSamsung) ||
        deviceMake === make ||
        text.toLowerCase().includes(device.make.toLowerCase()) ||
        (isBareSamsung && deviceMake === 'samsung' && /galaxy|갤/i.test(text))
      const foundMatches: CodeMatch[] = []
      let remainingText = text
      let firstPosition = text.length
      const blankOut = (from: number, to: number) => {
        remainingText = `${remainingText.slice(0, from)}${' '.repeat(to - from)}${remainingText.slice(to)}`
        firstPosition = Math.min(firstPosition, from)
      }
      let hasCode = false
      for (const { code, from, to } of splitChunks(text)) {
        const { matches, hasCodeForm, isBareSamsung } = lookUp(code)
        const plausible = matches.length === 0 ? matches : matches.filter((match) => isPlausible(match, isBareSamsung))
        // Other makes also have models such as A1000.
        if (plausible.length === 0 && !(hasCodeForm && (code[0] !== 'A' || make === 'apple' || mentionsApple(text))))
          continue
        hasCode = true
        blankOut(from, to)
        foundMatches.push(...plausible)
      }
      const identifier = findIdentifiers(text)
      const identifierMatches = identifier?.codes.flatMap((code) => byCode.get(code) ?? []) ?? []
      if (identifier && identifierMatches.length > 0) {
        hasCode = true
        blankOut(identifier.from, identifier.to)
        foundMatches.push(...identifierMatches)
      }
      return hasCode ? { matches: foundMatches, remainingText, position: firstPosition } : null
    },
  }
}

/** Samsung's numbers end with the region: SM-G991B and SM-G991U1 are one model. */
const baseCode = (code: string) =>
  /^(?:SM-?)?([A-Z]\d{3})(?:[A-Z][A-Z0-9]{0,2})?$/.exec(code)?.[1]?.replace(/^/, 'SM') ?? ''

/** Stands for the digits of region and year. */
const ANY_DIGITS = '…'

/**
 * Consoles have a number per region and year: all CFI-1… are the first PlayStation 5. The letter after it states the disc
 * drive or the storage; a code is looked up with the letter first.
 */
function codeFamilies(code: string): readonly string[] {
  const [, prefix, series, letter] = /^([A-Z]{3})-(\d)\d{3}(?:([A-Z])\d{0,2}[A-Z]?)?$/.exec(code) ?? []
  if (prefix === undefined) return []
  const family = `${prefix}${series}${ANY_DIGITS}`
  return letter === undefined ? [family] : [`${family}${letter}`, family]
}

const mentionsApple = (text: string) => /apple|iphone|ipad|ipod|mac|watch|airpods|homepod|beats/i.test(text)

/** Recognises codes by their form, so that one missing from the catalogue is at least not taken for a name. */
function looksLikeCode(code: string): boolean {
  return (
    /^A[123]\d{3}$/.test(code) ||
    APPLE_PART_NUMBER.test(code) ||
    /^SM-[A-Z]\d{3}[A-Z0-9]{0,4}$/.test(code) ||
    /^XT\d{4}(?:-\d{1,2})?$/.test(code)
  )
}

/** Skips names and code names ("Pixel 6", "raven") that lists of certified devices contain beside model numbers. */
function listCodes(device: Device): Set<string> {
  const codes = new Set<string>()
  for (const number of [
    ...device.modelNumbers,
    ...device.variants.flatMap((variant) => variant.modelNumbers),
    device.name,
  ]) {
    // "ONEPLUS A3000", "ASUS_I006D": the make precedes the code.
    const code = (number.toUpperCase().split(/[ _]/).at(-1) ?? '').replaceAll('-', '')
    const isWhole = !/[ _]/.test(number) || number.toUpperCase().startsWith(`${device.make.toUpperCase()}`)
    if (!isWhole || !isCode(code, number === device.name)) continue
    codes.add(code)
    const base = baseCode(code)
    // SM-X700 is also written X700.
    if (base) codes.add(base).add(base.slice(2))
    for (const family of codeFamilies(number.toUpperCase())) codes.add(family)
  }
  for (const identifier of device.modelIdentifiers) {
    if (APPLE_IDENTIFIER.test(identifier.toUpperCase())) codes.add(identifier.toUpperCase())
  }
  return codes
}

/** Names such as "A54" or "X100V" look like codes; a real code is longer or has letters before many digits. */
function isCode(code: string, isName: boolean): boolean {
  if (!CODE_PATTERN.test(code)) return false
  return isName ? /^[A-Z]{2}\d{4}/.test(code) : code.length >= 5 || /^[A-Z]\d{4}$/.test(code)
}

/** A part between blanks or brackets that could be a code, in upper case. */
type Chunk = { readonly code: string; readonly from: number; readonly to: number }

function splitChunks(text: string): Chunk[] {
  const chunks: Chunk[] = []
  let start = -1
  let hasDigit = false
  let hasLetter = false
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 32
    const isDigit = code >= 48 && code <= 57
    const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
    if (isDigit || isLetter || code === 45 || (code === 47 && start >= 0 && isPartEnd(text, start, at))) {
      if (start < 0) start = at
      hasDigit ||= isDigit
      hasLetter ||= isLetter
      continue
    }
    if (start >= 0 && hasDigit && hasLetter && at - start >= 4 && !isAmount(text, at)) {
      const code = text.slice(start, at).toUpperCase()
      const suffix = CONSOLE_CODE.test(code) ? (consoleSuffix(text, at) ?? '') : ''
      chunks.push({
        code: code + suffix.trim().toUpperCase().replace(BOARD_NUMBER, ''),
        from: start,
        to: at + suffix.length,
      })
      at += suffix.length
    }
    start = -1
    hasDigit = hasLetter = false
  }
  return chunks
}

const CONSOLE_CODE = /^[A-Z]{3}-\d{3,4}$/
const BOARD_NUMBER = /^\(-\d\d\)$/

/** "CFI-2016 A01" and "HAC-001(-01)": the letter or the board behind the number of a console. */
const consoleSuffix = (text: string, at: number) => /^(?:\(-\d\d\)| [A-Z]\d{2}(?![A-Z0-9]))/i.exec(text.slice(at))?.[0]

/** Skips amounts such as "128GB" early, because many titles contain one. */
function isAmount(text: string, end: number): boolean {
  const unit = text.charCodeAt(end - 2) | 32
  return (text.charCodeAt(end - 1) | 32) === 98 && (unit === 103 || unit === 116)
}

/** The slash of "MLVC3LL/A", not the one of "A2483/128GB". */
function isPartEnd(text: string, start: number, at: number): boolean {
  const length = at - start
  return length >= 6 && length <= 7 && isLetterAt(text, at + 1) && !isLetterAt(text, at + 2) && !isDigitAt(text, at + 2)
}

function isLetterAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at) | 32
  return code >= 97 && code <= 122
}

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

const INCHES = `\\s?(?:["″”']|-?(?:zoll|inch|in\\b|cali|cala|pouces|pollici|pulgadas|polegadas|tum|tuum|coli|colių|palců|인치))`
const NOT_A_SIZE = `(?!${INCHES})`
/** Sizes of MacBook Pro screens. Dealers also write "MacBook Pro 16,1 inch" for the identifier. */
const NOT_A_MACBOOK_SIZE = `(?!\\s?["″”'])(?<!(?:13,3|14,2|15,4|16,2)(?=${INCHES}))`

/** Families of Apple identifiers by the product name that precedes the numbers. */
const IDENTIFIERS_BY_NAME: readonly { readonly pattern: RegExp; readonly families: readonly string[] }[] = (
  [
    ['macbook ?pro', ['MACBOOKPRO', 'MAC'], NOT_A_MACBOOK_SIZE],
    ['macbook ?air', ['MACBOOKAIR', 'MAC']],
    ['macbook', ['MACBOOK', 'MAC']],
    ['imac', ['IMAC', 'MAC']],
    ['mac ?mini', ['MACMINI', 'MAC']],
    ['(?:apple )?watch', ['WATCH']],
    ['iphone', ['IPHONE']],
    ['ipad', ['IPAD']],
    ['mac', ['MAC']],
  ] as const
).map(([name, families, notASize = NOT_A_SIZE]) => ({
  pattern: new RegExp(`\\b${name} ?(\\d{1,2}),(\\d{1,2})\\b${notASize}`, 'i'),
  families,
}))

/** "iPhone14,5", also with a blank, and "MacBook Pro 14,9" as dealers write Mac14,9. */
function findIdentifiers(text: string): { codes: string[]; from: number; to: number } | null {
  if (!text.includes(',')) return null
  for (const { pattern, families } of IDENTIFIERS_BY_NAME) {
    const match = pattern.exec(text)
    if (!match) continue
    const numbers = `${match[1]},${match[2]}`
    const to = match.index + match[0].length
    // The family's name stays in the title, because it is part of the device's name.
    return { codes: families.map((family) => family + numbers), from: to - numbers.length, to }
  }
  return null
}
