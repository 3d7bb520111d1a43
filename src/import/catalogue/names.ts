/** Device names as people know them, from what lists write. */
import { slugOf } from '../../catalog/slugs.ts'

const TIDY = /^[\w().+-]+(?: [\w().+-]+)*$/

/** Escapes left over from other people's exports, trade marks, doubled blanks. */
export function tidyText(text: string): string {
  if (TIDY.test(text)) return text
  return text
    .replace(/\\+(?=['"])/g, '')
    .replace(/''/g, '"')
    .replace(/[™®©]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

const RADIO =
  '(?:gsm|cdma|wcdma|umts|td-?lte|td-?scdma|wi-?fi|wlan|wi-?fi ?(?:\\+|and) ?(?:cellular|3g|4g|5g|lte)|cellular|dual[ -]?sim|single[ -]?sim|dual)'
const IN_BRACKETS = new RegExp(
  `\\s*\\((?:${RADIO}|lte|3g|4g|5g|global|china|international)(?:[,/ ]+(?:${RADIO}|lte|3g|4g|5g|global|china))*\\)`,
  'i',
)
const AT_THE_END = new RegExp(`(?<=\\S)[\\s,]+${RADIO}$`, 'i')
const NETWORK_AT_THE_END = /(?<=\S)[\s,]+(?:lte|3g|4g|5g)$/i
const SLATE = /\b(?:tab|tablet|\w*pad|watch)\b/i

/**
 * The name without what only tells radios apart, so that "iPhone 5 (GSM)" and "iPhone 5 (CDMA)" are one device.
 * On a tablet or watch "LTE" or "5G" is a radio too; on a phone it is not: a Galaxy A16 and a Galaxy A16 5G differ.
 */
export function withoutRadio(name: string): string {
  let left = name
  for (;;) {
    let next = left.replace(IN_BRACKETS, '').replace(AT_THE_END, '').trim()
    if (SLATE.test(next)) next = next.replace(NETWORK_AT_THE_END, '').trim()
    if (next === left || next === '') return left
    left = next
  }
}

/** The line's word stands first: "K30 Pro" of Redmi is a "Redmi K30 Pro". */
export function withLine(name: string, line: string | null): string {
  if (!line || slugOf(name).replaceAll('-', '').includes(slugOf(line).replaceAll('-', ''))) return name
  return `${line} ${name}`
}

const ASCII = /^[ -~]*$/

/** Whether an id made of this text says all of it; a name in another script would lose its letters. */
export function isLatin(text: string): boolean {
  if (ASCII.test(text)) return true
  return !/\p{L}/u.test(text.normalize('NFKD').replace(/[\p{Script=Latin}\p{M}]/gu, ''))
}

/** Equal for spellings of one name within a make; a repeated make in front does not count. */
export function nameKey(make: string, name: string): string {
  if (!isLatin(name)) return name.normalize('NFKC').toLowerCase().replace(/\s+/g, '')
  const makeSlug = slugOf(make)
  const nameSlug = slugOf(name)
  return makeSlug && nameSlug.startsWith(`${makeSlug}-`) ? nameSlug.slice(makeSlug.length + 1) : nameSlug
}

/** The same model under its name with and without "5G"; only to be believed together with a shared model number. */
export function nameKeyWithoutNetwork(make: string, name: string): string {
  return nameKey(make, name).replace(/-(?:5g|4g|lte)$/, '')
}
