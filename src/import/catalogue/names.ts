/** Normalizes device names of lists. */
import { memoizedSlug } from '../../catalog/device.ts'

const CLEAN_TEXT = /^[\w().+-]+(?: [\w().+-]+)*$/

/** Removes leftover escapes, trade marks and repeated blanks. */
export function cleanText(text: string): string {
  if (CLEAN_TEXT.test(text)) return text
  return text
    .replace(/\\+(?=['"])/g, '')
    .replace(/''/g, '"')
    .replace(/[™®©]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

const RADIO_WORDS =
  '(?:gsm|cdma|wcdma|umts|td-?lte|td-?scdma|wi-?fi|wlan|wi-?fi ?(?:\\+|and) ?(?:cellular|3g|4g|5g|lte)|cellular|dual[ -]?sim|single[ -]?sim|dual)'
const RADIO_IN_BRACKETS = new RegExp(
  `\\s*\\((?:${RADIO_WORDS}|lte|3g|4g|5g|global|china|international)(?:[,/ ]+(?:${RADIO_WORDS}|lte|3g|4g|5g|global|china))*\\)`,
  'i',
)
const RADIO_SUFFIX = new RegExp(`(?<=\\S)[\\s,]+${RADIO_WORDS}$`, 'i')
const NETWORK_SUFFIX = /(?<=\S)[\s,]+(?:lte|3g|4g|5g)$/i
const TABLET_OR_WATCH = /\b(?:tab|tablet|\w*pad|watch)\b/i

/**
 * The name without words that only distinguish radios, so that "iPhone 5 (GSM)" and "iPhone 5 (CDMA)" are one device.
 * On a tablet or watch "LTE" or "5G" is a radio too; on a phone it is not: a Galaxy A16 and a Galaxy A16 5G differ.
 */
export function withoutRadio(name: string): string {
  let shortened = name
  for (;;) {
    let next = shortened.replace(RADIO_IN_BRACKETS, '').replace(RADIO_SUFFIX, '').trim()
    if (TABLET_OR_WATCH.test(next)) next = next.replace(NETWORK_SUFFIX, '').trim()
    if (next === shortened || next === '') return shortened
    shortened = next
  }
}

/** Puts the line's word first: "K30 Pro" of Redmi is a "Redmi K30 Pro". */
export function withLine(name: string, line: string | null): string {
  if (!line || memoizedSlug(name).replaceAll('-', '').includes(memoizedSlug(line).replaceAll('-', ''))) return name
  return `${line} ${name}`
}

const ASCII = /^[ -~]*$/

/** Whether an id can represent this text; a name in another script would lose its letters. */
export function isLatin(text: string): boolean {
  if (ASCII.test(text)) return true
  return !/\p{L}/u.test(text.normalize('NFKD').replace(/[\p{Script=Latin}\p{M}]/gu, ''))
}

/** Equal for spellings of one name within a make; a repeated make in front does not count. */
export function normalizeName(make: string, name: string): string {
  if (!isLatin(name)) return name.normalize('NFKC').toLowerCase().replace(/\s+/g, '')
  const makeSlug = memoizedSlug(make)
  const nameSlug = memoizedSlug(name)
  return makeSlug && nameSlug.startsWith(`${makeSlug}-`) ? nameSlug.slice(makeSlug.length + 1) : nameSlug
}

/** Equal for a name with and without "5G"; only reliable together with a shared model number. */
export function normalizeNameWithoutNetwork(make: string, name: string): string {
  return normalizeName(make, name).replace(/-(?:5g|4g|lte)$/, '')
}
