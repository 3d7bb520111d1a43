import type { IdentifierType } from '../contract/lookups.ts'
import { type Alphabet, detectAlphabet, luhnDigit } from './check-digit.ts'
import { esnFromDecimal, esnFromHex, isEsnDecimal } from './esn.ts'
import { type Identifier, type InvalidIdentifier, invalidIdentifier } from './identifier.ts'
import { imeiFromDigits } from './imei.ts'
import { isMeidRegion, meidFromDecimal, meidFromHex } from './meid.ts'
import { isImeiMisreadAsMeid, isNearImei, nearImeiIdentifier } from './near-imei.ts'
import { describeOtherNumber, isProductBarCode, PRODUCT_BAR_CODE } from './other-numbers.ts'
import { isXiaomiSerial } from './serial-number.ts'

const MAX_TEXT_LENGTH = 64
/** The text that a phone shows for *#06#, with labels and further numbers. */
const MAX_IMEI_LIST_LENGTH = 400
const EXPECTED_FORMS: Readonly<Record<IdentifierType, string>> = {
  imei: 'an IMEI of 15 digits (14 without its check digit, 16 with a software version)',
  meid: 'a MEID of 14 hexadecimal characters or 18 decimal digits (one more with its check digit)',
  esn: 'an ESN of 8 hexadecimal characters or 11 decimal digits',
  serial: 'a serial number of 7 to 20 letters A–Z and digits',
}
const ANY_EXPECTED_FORM = 'an IMEI, MEID, ESN or serial number of 7 to 20 letters and digits'

// Dashes, spaces and invisible characters that are copied from a screen together with the number.
const SEPARATORS = /[\s\-./\u200B-\u200F\u202A-\u202E\u2010-\u2015\u2060-\u2069\u2212]/g
const LABEL =
  /^\s*(?:(?:IMEI(?:SV)?\s?\d?|MEID|ESN|SERIAL(?:\s(?:NUMBER|NO\.?))?|S\/N|SN|SERIEN(?:NUMMER|-NR\.?)|SERIENUMMER|N(?:UMERO|[°º]|O\.?) DE S[EÉ]RIE|N(?:UME)?R\.? SERYJNY|SERIJSKI BROJ|SERIJOS N(?:UMERIS|R\.?)|일련번호|시리얼(?: ?넘버)?)\s*[:#=]\s*|(?:IMEI(?:SV)?(?:\s?[12])?|MEID|ESN|SERIAL|SN|SERIENNUMMER)\s+)/
// "IMEI356938035643809" would otherwise pass for a serial number.
const GLUED_LABEL = /^IMEI(?:SV)?(?:[12](?=\d{15}$)|(?=\d{14,16}$))/
/** Quotes, brackets and marks that spreadsheets and labels put around a number: ="356…", '356…, (356…), #356…. */
const ENCLOSING = /^[\s"'`“”‘’„«»()[\]{}<>#*=:;,]+|[\s"'`“”‘’„«»()[\]{}<>#*=:;,]+$/g

/** Upper case without enclosing marks and label. Letters outside ASCII must not become ASCII: "ı" in upper case is "I". */
function unwrap(text: string): string {
  const upper = text
    .replace(/[\uFF01-\uFF5E]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xfee0))
    .replace(/[a-z]+/g, (letters) => letters.toUpperCase())
  return upper.replace(ENCLOSING, '').replace(LABEL, '').replace(ENCLOSING, '')
}

/** Removes enclosing marks, separators and a leading label and converts to upper case; the caller rejects the rest. */
export function normalizeIdentifierText(text: string): string {
  const bare = text.replace(/[ \-./]/g, '')
  // Fast path. Excludes a leading I, which may start a label, and dots, which may belong to a spreadsheet number.
  if (/^[0-9A-HJ-Z][0-9A-Z]*$/.test(bare) && !/^(?:MEID|ESN|SN|SERIAL)/.test(bare) && !text.includes('.')) return bare
  return restoreSpreadsheetNumber(unwrap(text)).replace(SEPARATORS, '').replace(GLUED_LABEL, '')
}

/** "356938035643809.0" and "3.56938035643809E+14" still hold every digit. */
function restoreSpreadsheetNumber(text: string): string {
  const [, whole] = /^(\d{14,16})[.,]0{1,3}$/.exec(text) ?? []
  if (whole !== undefined) return whole
  const [, first, rest = '', exponent] = /^(\d)[.,](\d+)E\+?(\d{2})$/.exec(text) ?? []
  return first !== undefined && rest.length === Number(exponent) ? first + rest : text
}

const isRoundedBySpreadsheet = (text: string) => /^\d(?:[.,]\d+)?E\+?1[3-5]$/.test(text)

/** IMEIs with a valid check digit in a text of several words. */
function findImeis(text: string): string[] {
  const numbers = text.match(/(?<![0-9A-Z])\d{15}(?![0-9A-Z])/g) ?? []
  return [...new Set(numbers)].filter((digits) => luhnDigit(digits.slice(0, 14)) === digits[14])
}

/**
 * Both IMEIs of a device with two SIM cards, from a text such as "A / B" or what *#06# shows; null unless the text holds
 * exactly two with valid check digits. Two spellings of the same IMEI are one.
 */
export function splitDualSim(input: string): readonly [string, string] | null {
  if (input.length > MAX_IMEI_LIST_LENGTH) return null
  const text = unwrap(input)
  const [first, second, ...others] = findImeis(text)
  if (first !== undefined && second !== undefined) return others.length === 0 ? [first, second] : null
  const parts = text.split(/[/,;|\n]/).map(normalizeIdentifierText)
  const [left = '', right = ''] = parts
  const areImeis = parts.length === 2 && parts.every((part) => findImeis(part).length === 1 && part.length === 15)
  return areImeis && left !== right ? [left, right] : null
}

/** "IMEI Nr. 356…", "N° IMEI (SIM 1): 356…", "*#06# 356…": only a label in front, in any language. */
const IMEI_LABEL = /IMEI|#06#/i
const REPEATED_IMEI = /^(\d{15})(?:\D+\1)+$/
const ENDS_WITH_IMEI = /^(?:\D*(?:[12]\D+)?|06#\s*)(?<![0-9A-Z])\d{15}$/

/** ICCIDs and EIDs are printed next to the IMEI on labels and screens. */
function simNumberHint(text: string): string | null {
  if ((text.length === 19 || text.length === 20) && text.startsWith('89')) {
    return 'this is a SIM card number (ICCID), which names no device'
  }
  return text.length === 32 ? 'this is an eSIM number (EID), which names no device' : null
}

/** `0x` and `0h` mark hexadecimal; neither X nor H is a hexadecimal digit, so nothing else is cut. */
function stripHexPrefix(text: string): string {
  return /^0[XH](?:[0-9A-F]{8}|[0-9A-F]{14,15})$/.test(text) ? text.slice(2) : text
}

function parseAs(type: IdentifierType, text: string, alphabet: Alphabet): Identifier | InvalidIdentifier {
  const { length } = text
  switch (type) {
    case 'imei':
      if (alphabet === 'decimal' && length >= 14 && length <= 16) return imeiFromDigits(text)
      return invalidIdentifier(
        isMeidLike(text, alphabet)
          ? `${EXPECTED_FORMS.imei}; this looks like a MEID, send identifier_type "meid"`
          : EXPECTED_FORMS.imei,
      )
    case 'meid':
      if (alphabet === 'decimal' && (length === 18 || length === 19)) return meidFromDecimal(text)
      if (alphabet === 'alphanumeric' || (length !== 14 && length !== 15)) return invalidIdentifier(EXPECTED_FORMS.meid)
      return meidFromHex(text)
    case 'esn':
      if (alphabet === 'decimal' && length === 11) return esnFromDecimal(text)
      if (alphabet === 'alphanumeric' || length !== 8) return invalidIdentifier(EXPECTED_FORMS.esn)
      return esnFromHex(text)
    case 'serial':
      if (length < 7 || length > 20) return invalidIdentifier(EXPECTED_FORMS.serial)
      return serialIdentifier(text)
  }
}

function serialIdentifier(text: string): Identifier {
  return { type: 'serial', form: 'serial', text, key: text, checkDigit: null, expectedCheckDigit: null }
}

/** A number of another kind keeps its separators, by which it was recognised. */
function otherNumberIdentifier(text: string): Identifier {
  return { ...serialIdentifier(text), form: 'other-number', key: text.replace(/[^0-9A-Z]/g, '') }
}

function isMeidLike(text: string, alphabet: Alphabet): boolean {
  return alphabet === 'hexadecimal' && (text.length === 14 || (text.length === 15 && isMeidRegion(text)))
}

/** The most common identifier type with this alphabet and length. */
function detectType(text: string, alphabet: Alphabet): IdentifierType {
  const { length } = text
  if (alphabet === 'decimal') {
    if (length >= 14 && length <= 16) return 'imei'
    if (length === 18 || length === 19) return 'meid'
    return length === 8 || (length === 11 && isEsnDecimal(text)) ? 'esn' : 'serial'
  }
  if (isMeidLike(text, alphabet)) return 'meid'
  return alphabet === 'hexadecimal' && length === 8 ? 'esn' : 'serial'
}

/**
 * Parses text from a person or a scanner. A declared type is honoured: eight hexadecimal characters are an ESN unless
 * declared as a serial number. A wrong check digit is a finding, not an error.
 */
export function parseIdentifier(input: string, declaredType?: IdentifierType): Identifier | InvalidIdentifier {
  const expected = declaredType === undefined ? ANY_EXPECTED_FORM : EXPECTED_FORMS[declaredType]
  if (input.length > MAX_TEXT_LENGTH)
    return invalidIdentifier(`${expected}, at most ${MAX_TEXT_LENGTH} characters as sent`)
  const unwrapped = unwrap(input).trim()
  if (declaredType === undefined && isProductBarCode(unwrapped)) return invalidIdentifier(PRODUCT_BAR_CODE)
  // Dates and bar codes have no letters: a declared type counts more than such a form.
  const mayBeOtherNumber = declaredType === undefined || /[A-Z:+]/.test(unwrapped)
  if (mayBeOtherNumber && describeOtherNumber(unwrapped) !== null) return otherNumberIdentifier(unwrapped)
  if (declaredType !== 'serial' && isRoundedBySpreadsheet(restoreSpreadsheetNumber(unwrapped))) {
    return invalidIdentifier(
      `${expected}; a spreadsheet has rounded this number and lost digits: format the column as text and copy it again`,
    )
  }
  const imeis = findImeis(unwrapped)
  if (declaredType !== 'serial' && imeis.length > 1) {
    return invalidIdentifier(
      `one identifier; this text holds ${imeis.length} IMEIs, send those of each device on their own`,
    )
  }
  const isLabelled = declaredType !== 'serial' && IMEI_LABEL.test(input) && ENDS_WITH_IMEI.test(unwrapped)
  const isRepeated = declaredType !== 'serial' && REPEATED_IMEI.test(unwrapped)
  const bare = (isLabelled || isRepeated ? imeis[0] : undefined) ?? normalizeIdentifierText(input)
  const text = declaredType === 'serial' ? bare : stripHexPrefix(bare)
  const alphabet = detectAlphabet(text)
  if (alphabet === 'other') {
    const hasOtherDigits = /\p{Nd}/u.test(text.replace(/[0-9]/g, ''))
    return invalidIdentifier(hasOtherDigits ? `${expected}, in the digits 0–9 and no other script's` : expected)
  }
  const simHint = alphabet === 'decimal' ? simNumberHint(text) : null
  if (simHint !== null) return invalidIdentifier(`${expected}; ${simHint}`)
  if (declaredType !== undefined) return parseAs(declaredType, text, alphabet)
  if (alphabet === 'decimal' && text.length === 7) return invalidIdentifier(expected)
  if (isXiaomiSerial(unwrapped)) return serialIdentifier(text)
  const type = detectType(text, alphabet)
  // A declared serial number may have any form; an undeclared one that nearly is an IMEI was meant to be one.
  const isMisread = type === 'serial' || (type === 'meid' && alphabet === 'hexadecimal' && isImeiMisreadAsMeid(text))
  return isMisread && isNearImei(text) ? nearImeiIdentifier(text) : parseAs(type, text, alphabet)
}
