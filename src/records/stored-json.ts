import { LOOKUP_DICTIONARY } from './lookup-dictionary.ts'

/** Control characters from U+0001; JSON escapes them in strings, so none occurs in JSON text itself. */
const codes = new Map(LOOKUP_DICTIONARY.map((text, index) => [text, String.fromCharCode(index + 1)]))
const ANY_TEXT = new RegExp(LOOKUP_DICTIONARY.map((text) => RegExp.escape(text)).join('|'), 'g')
// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes are control characters.
const ANY_CODE = /[\u0001-\u001f]/g

/** The JSON of a lookup with common text replaced by codes: a fifth of the size, for a third of the time of deflate. */
export const shortenLookup = (json: string): string => json.replace(ANY_TEXT, (text) => codes.get(text) as string)

/** The record of stored JSON, shortened or not. */
export const parseStoredJson = (stored: string): unknown =>
  JSON.parse(stored.replace(ANY_CODE, (code) => LOOKUP_DICTIONARY[code.charCodeAt(0) - 1] ?? code))
