import type { IdentifierType } from '../../contract/imei.ts'
import { type Alphabet, alphabetOf } from './check-digit.ts'
import { esnOfDecimal, esnOfHex, isEsnDecimal } from './esn.ts'
import { type Identifier, type Unreadable, unreadable } from './identifier.ts'
import { imeiOf } from './imei.ts'
import { isMeidRegion, meidOfDecimal, meidOfHex } from './meid.ts'
import { isMisreadMeid, isNearImei, nearImeiOf } from './near-imei.ts'

const LONGEST_TEXT = 64
const FORMS: Readonly<Record<IdentifierType, string>> = {
  imei: 'an IMEI of 15 digits (14 without its check digit, 16 with a software version)',
  meid: 'a MEID of 14 hexadecimal characters or 18 decimal digits (one more with its check digit)',
  esn: 'an ESN of 8 hexadecimal characters or 11 decimal digits',
  serial: 'a serial number of 8 to 20 letters A–Z and digits',
}
const ANY = 'an IMEI, MEID, ESN or serial number of 8 to 20 letters and digits'

// Dashes, spaces and the invisible marks that come along when a number is copied from a screen.
const SEPARATORS = /[\s\-./\u200B-\u200F\u202A-\u202E\u2010-\u2015\u2060-\u2069\u2212]/g
const LABEL =
  /^\s*(?:(?:IMEI(?:SV)?\s?\d?|MEID|ESN|SERIAL(?:\s(?:NUMBER|NO\.?))?|S\/N|SN)\s*[:#=]\s*|(?:IMEI|MEID|ESN)\s+)/
// "IMEI356938035643809" would otherwise pass for a serial number.
const GLUED_LABEL = /^IMEI(?:SV)?(?=\d{14,16}$)/

/** Separators, a leading label and lower case dropped; anything else is left for the caller to refuse. */
export function compact(text: string): string {
  const bare = text.replace(/[ \-./]/g, '')
  // The letter I may begin a label; every other plain text is done.
  if (/^[0-9A-HJ-Z][0-9A-Z]*$/.test(bare) && !/^(?:MEID|ESN|SN|SERIAL)/.test(bare)) return bare
  // Letters outside ASCII must not become ASCII on the way: "ı" in upper case is "I".
  const upper = text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
  return upper.replace(LABEL, '').replace(SEPARATORS, '').replace(GLUED_LABEL, '')
}

/** ICCIDs and EIDs stand beside the IMEI on the same label and screen. */
function notADevice(text: string): string | null {
  if ((text.length === 19 || text.length === 20) && text.startsWith('89')) {
    return 'this is a SIM card number (ICCID), which names no device'
  }
  return text.length === 32 ? 'this is an eSIM number (EID), which names no device' : null
}

/** `0x` and `0h` mark hexadecimal; neither X nor H is a hexadecimal digit, so nothing else is cut. */
function withoutHexMark(text: string): string {
  return /^0[XH](?:[0-9A-F]{8}|[0-9A-F]{14,15})$/.test(text) ? text.slice(2) : text
}

function readAs(type: IdentifierType, text: string, alphabet: Alphabet): Identifier | Unreadable {
  const { length } = text
  switch (type) {
    case 'imei':
      if (alphabet === 'decimal' && length >= 14 && length <= 16) return imeiOf(text)
      return unreadable(
        isMeidLike(text, alphabet) ? `${FORMS.imei}; this looks like a MEID, send identifier_type "meid"` : FORMS.imei,
      )
    case 'meid':
      if (alphabet === 'decimal' && (length === 18 || length === 19)) return meidOfDecimal(text)
      if (alphabet === 'alphanumeric' || (length !== 14 && length !== 15)) return unreadable(FORMS.meid)
      return meidOfHex(text)
    case 'esn':
      if (alphabet === 'decimal' && length === 11) return esnOfDecimal(text)
      if (alphabet === 'alphanumeric' || length !== 8) return unreadable(FORMS.esn)
      return esnOfHex(text)
    case 'serial':
      if (length < 8 || length > 20) return unreadable(FORMS.serial)
      return { type: 'serial', form: 'serial', text, key: text, checkDigit: null, expectedCheckDigit: null }
  }
}

function isMeidLike(text: string, alphabet: Alphabet): boolean {
  return alphabet === 'hexadecimal' && (text.length === 14 || (text.length === 15 && isMeidRegion(text)))
}

/** The commonest reading of a text whose kind was not said. */
function recognise(text: string, alphabet: Alphabet): IdentifierType {
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
 * Reads what a person or a scanner sent. A declared type is honoured: eight hexadecimal characters are an ESN unless
 * they are said to be a serial number. A wrong check digit is read all the same; it is a finding, not a refusal.
 */
export function readIdentifier(sent: string, declared?: IdentifierType): Identifier | Unreadable {
  const expected = declared === undefined ? ANY : FORMS[declared]
  if (sent.length > LONGEST_TEXT) return unreadable(`${expected}, at most ${LONGEST_TEXT} characters as sent`)
  const bare = compact(sent)
  const text = declared === 'serial' ? bare : withoutHexMark(bare)
  const alphabet = alphabetOf(text)
  if (alphabet === 'other') {
    const foreign = /\p{Nd}/u.test(text.replace(/[0-9]/g, ''))
    return unreadable(foreign ? `${expected}, in the digits 0–9 and no other script's` : expected)
  }
  const mistaken = alphabet === 'decimal' ? notADevice(text) : null
  if (mistaken !== null) return unreadable(`${expected}; ${mistaken}`)
  if (declared !== undefined) return readAs(declared, text, alphabet)
  const type = recognise(text, alphabet)
  // A declared serial number may have any form; an undeclared one that nearly is an IMEI was meant to be one.
  const isMisread = type === 'serial' || (type === 'meid' && alphabet === 'hexadecimal' && isMisreadMeid(text))
  return isMisread && isNearImei(text) ? nearImeiOf(text) : readAs(type, text, alphabet)
}
