/** Splits text into searchable words, identically for the registry and for search terms. */
import { foldText, isAscii } from '../../lib/fold-text.ts'

/** Normalizes a name for comparison: folded, trimmed, single blanks. */
export function foldName(text: string): string {
  return foldText(text).trim().replace(/\s+/g, ' ')
}

/** Normalizes an attribute's name or value for comparison: case and blanks are ignored, so `256 gb` equals `256GB`. */
export function foldValue(text: string): string {
  return foldText(text).replace(/\s+/g, '')
}

/** Normalizes an attribute's name, including its query-string spelling: `case_size` equals `Case Size`. */
export function foldAttributeName(text: string): string {
  return foldText(text).replace(/[\s_-]+/g, '')
}

/** Key of an attribute: folded name, blank, folded value. */
export function attributeKey(name: string, value: string): string {
  return `${foldAttributeName(name)} ${foldValue(value)}`
}

/** Normalizes a model number, identifier, part number or SKU for comparison: only case and blanks are ignored. */
export function foldCode(text: string): string {
  const upper = text.toUpperCase()
  // Fast path: nearly all codes of the registry have no blanks.
  return upper.includes(' ') || !isAscii(upper) ? upper.replace(/\s+/g, '') : upper
}

const LETTER_OR_DIGIT = /^[\p{L}\p{N}]$/u

/** Words of letters and digits, in order. "+" and "&" are read as words, as in the slug. */
export function splitWords(text: string): string[] {
  const folded = foldText(text)
  const words: string[] = []
  let start = -1
  for (let i = 0; i < folded.length; i++) {
    const code = folded.charCodeAt(i)
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code > 127 && isWordCharacter(folded, i))) {
      if (start < 0) start = i
      continue
    }
    if (start >= 0) words.push(folded.slice(start, i))
    start = -1
    if (code === 43) words.push('plus')
    else if (code === 38) words.push('and')
  }
  if (start >= 0) words.push(folded.slice(start))
  return words
}

/** Either half of a surrogate pair is classified by the whole pair; an unpaired half is not a letter. */
function isWordCharacter(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  const isSecondHalf = code >= 0xdc00 && code <= 0xdfff
  const codePoint = text.codePointAt(isSecondHalf ? index - 1 : index) ?? 0
  return isSecondHalf && codePoint <= 0xffff ? false : LETTER_OR_DIGIT.test(String.fromCodePoint(codePoint))
}

/** Counts the letters (not digits) of a word. */
export function countLetters(word: string): number {
  let count = 0
  for (const character of word) {
    const code = character.charCodeAt(0)
    if ((code >= 97 && code <= 122) || (code > 127 && /\p{L}/u.test(character))) count++
  }
  return count
}

const MAX_TERM_CHARS = 100
const MAX_TERM_WORDS = 50

/** Apple's part numbers end with a region code: MTQ63LL/A and MTQ63ZD/A are both MTQ63. */
const REGIONAL_PART = /^([A-Z0-9]{5})[A-Z]{1,2}\/[A-Z]$/

/** The codes that a text can mean. */
export function possibleCodes(text: string): string[] {
  const code = foldCode(text)
  const part = REGIONAL_PART.exec(code)?.[1]
  return part ? [code, part] : [code]
}

export type SearchTerm = {
  /** Distinct words, none a prefix of another, because a match of the longer one implies the shorter. */
  readonly words: readonly string[]
  /** The term as a code of its own. */
  readonly codes: readonly string[]
  /** The blank-separated parts, as codes and as words. */
  readonly parts: readonly { readonly codes: readonly string[]; readonly words: readonly string[] }[]
}

/** Parses a search text, truncated to 100 characters. Null if it is blank. */
export function parseSearchTerm(text: string | undefined): SearchTerm | null {
  const trimmed = (text ?? '').slice(0, MAX_TERM_CHARS).trim()
  if (!trimmed) return null
  const parts = trimmed.split(/\s+/).map((part) => ({ codes: possibleCodes(part), words: splitWords(part) }))
  return { words: dropPrefixWords(splitWords(trimmed).slice(0, MAX_TERM_WORDS)), codes: possibleCodes(trimmed), parts }
}

export function dropPrefixWords(words: readonly string[]): string[] {
  const distinct = [...new Set(words)]
  return distinct.filter((word) => !distinct.some((other) => other !== word && other.startsWith(word)))
}
