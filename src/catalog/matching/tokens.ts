/** Splits a title into tokens; titles and catalogue names are split the same way, so that they agree. */

import { foldText } from '../../lib/fold-text.ts'
import { memoize } from '../../lib/memoize.ts'
import type { LexiconWord } from './title-lexicon.ts'

/** What separates a token from the one before it. */
export const GAP = {
  /** Nothing, as in "s23". */
  none: 0,
  /** A dash, dot or the like without blanks, as in "wh-1000". */
  joint: 1,
  blank: 2,
  /** A list separator: comma, slash, bar. */
  list: 3,
  /** Brackets, a dash between blanks, anything else. */
  other: 4,
} as const

export type Token = {
  readonly text: string
  readonly isNumber: boolean
  /** A symbol with a meaning of its own: + & % " $ € £ */
  readonly isSymbol: boolean
  readonly gap: number
  /** Only a comma separates this number from the one before it, as in "iPhone14,5". */
  readonly afterComma: boolean
  /** Lexicon entry; null if there is none or it was not looked up yet. */
  word: LexiconWord | null
  /** Make whose line name this is or begins. */
  line: string | null
  /** Interpreted as something other than a name: an amount, a year, battery health. */
  isConsumed: boolean
  /** The word was corrected from a typing error. */
  isMistyped: boolean
}

/** Creates a token that is not interpreted yet. */
export function createToken(
  text: string,
  gap: number,
  isNumber = false,
  isSymbol = false,
  afterComma = false,
  word: LexiconWord | null = null,
): Token {
  return { text, isNumber, isSymbol, gap, afterComma, word, line: null, isConsumed: false, isMistyped: false }
}

/** The lexicon's word for the letters from `from` up to `to`, or these letters. */
export type WordLookup = (folded: string, from: number, to: number) => LexiconWord | string

const NO_LEXICON: WordLookup = (folded, from, to) => folded.slice(from, to)

/** Longer titles are cut, so that callers cannot make matching expensive. */
export const MAX_TITLE_CHARS = 300

/** A switch over codes: this runs for every blank of every title. */
function symbolFor(code: number): string | null {
  switch (code) {
    case 43:
      return '+'
    case 38:
      return '&'
    case 37:
      return '%'
    case 34:
      return '"'
    case 36:
    case 0xa3:
    case 0x20a9:
    case 0x20ab:
    case 0x20ac:
      return '$'
    default:
      return null
  }
}

/** Lower case without accents and trade marks; Korean syllables stay whole. */
export function foldTitle(text: string): string {
  const truncated = text.length > MAX_TITLE_CHARS ? text.slice(0, MAX_TITLE_CHARS) : text
  for (let i = 0; i < truncated.length; i++) if (truncated.charCodeAt(i) > 127) return foldFrom(truncated, i)
  return truncated.toLowerCase()
}

/** Letter by letter with a cache: sellers use the same few hundred special characters. */
function foldFrom(text: string, from: number): string {
  let folded = text.slice(0, from)
  for (let at = from; at < text.length; ) {
    let plainTo = at
    while (plainTo < text.length && text.charCodeAt(plainTo) < 128) plainTo++
    if (plainTo > at) {
      folded += text.slice(at, plainTo)
      at = plainTo
      continue
    }
    const codePoint = text.codePointAt(at) as number
    folded += foldLetter(codePoint)
    at += codePoint > 0xffff ? 2 : 1
  }
  return folded.toLowerCase()
}

const foldLetter = memoize(20_000, (codePoint: number): string => {
  const letter = String.fromCodePoint(codePoint)
  const plain = TRADE_MARKS.get(letter) ?? foldMarks(letter)
  const folded = LETTER_FORMS.get(plain) ?? plain
  return OTHER_DIGIT.test(folded) ? digitValue(codePoint) : folded
})

const OTHER_DIGIT = /^(?![0-9])\p{Nd}$/u

/** The ten digits of a script follow each other: "١٤" is 14. */
function digitValue(codePoint: number): string {
  let zero = codePoint
  while (codePoint - zero < 9 && OTHER_DIGIT.test(String.fromCodePoint(zero - 1))) zero--
  return String(codePoint - zero)
}

const TRADE_MARKS: ReadonlyMap<string, string> = new Map([
  ...[...'™®©℠'].map((mark) => [mark, ' '] as const),
  ['″', '"'],
  ['”', '"'],
  ['“', '"'],
])

/** Scripts whose marks are vowels or tones, or change the consonant: Indic, Thai and kana. */
const MEANINGFUL_MARKS = /[\u0900-\u0dff\u0e00-\u0e7f\u3040-\u30ff\uff66-\uff9f]/
const NUKTAS = /[\u093c\u09bc\u0a3c\u0981]/g

const foldMarks = (letter: string): string =>
  MEANINGFUL_MARKS.test(letter)
    ? letter.normalize('NFKD').replace(NUKTAS, '').normalize('NFKC')
    : foldText(letter).normalize('NFC')

/**
 * Persian and Urdu forms of letters that Arabic writes otherwise; the joiner that Persian puts between parts of a word; long and
 * short vowels of Hindi and Bengali, which sellers mix up.
 */
const LETTER_FORMS: ReadonlyMap<string, string> = new Map([
  ['ि', 'ी'],
  ['ु', 'ू'],
  ['ँ', 'ं'],
  ['ি', 'ী'],
  ['ু', 'ূ'],
  ['ی', 'ي'],
  ['ک', 'ك'],
  ['ى', 'ي'],
  ['ے', 'ي'],
  ['ہ', 'ه'],
  ['ة', 'ه'],
  ['ـ', ''],
  ['\u200c', ' '],
])

const LETTER = /^[\p{L}\p{M}]$/u
const NEITHER = 0
const DIGIT = 1
const LATIN = 2
const OTHER_LETTER = 3

function characterKind(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code >= 97 && code <= 122) return LATIN
  if (code >= 48 && code <= 57) return DIGIT
  if (code < 128) return NEITHER
  if (code >= 0xac00 && code <= 0xd7a3) return OTHER_LETTER
  if (code >= 0xd800 && code <= 0xdfff) return NEITHER
  if (!LETTER.test(text[at] as string)) return NEITHER
  return code < 0x250 ? LATIN : OTHER_LETTER
}

/** Only Latin letters join with a number, as in "S23"; Korean, Cyrillic and other words do not. */
export const isLatinOrDigit = ({ text, isSymbol }: Token): boolean => !isSymbol && text.charCodeAt(0) < 0x250

/** Runs of letters of one script, numbers (with one decimal point), and symbols. */
export function tokenize(folded: string, find: WordLookup = NO_LEXICON): Token[] {
  const tokens: Token[] = []
  let end = 0
  for (let at = 0; at < folded.length; ) {
    const kind = characterKind(folded, at)
    if (kind === NEITHER) {
      const symbol = symbolFor(folded.charCodeAt(at))
      if (symbol) {
        const match = find(symbol, 0, 1)
        tokens.push(
          createToken(
            symbol,
            gapBetween(folded, end, at),
            false,
            true,
            false,
            typeof match === 'string' ? null : match,
          ),
        )
        end = at + 1
      }
      at++
      continue
    }
    let to = at + 1
    while (to < folded.length && characterKind(folded, to) === kind) to++
    if (kind === DIGIT) to = endOfDecimals(folded, at, to)
    const afterComma = kind === DIGIT && at - end === 1 && folded[end] === ',' && tokens.at(-1)?.isNumber === true
    const match = find(folded, at, to)
    const word = typeof match === 'string' ? null : match
    const text = typeof match === 'string' ? match : match.text
    const token = createToken(text, gapBetween(folded, end, at), kind === DIGIT, false, afterComma, word)
    // "#80" is the seller's reference.
    token.isConsumed = kind === DIGIT && folded[at - 1] === '#' && characterKind(folded, to) === NEITHER
    tokens.push(token)
    end = to
    at = to
  }
  return tokens
}

/** "12.9" is one number; "1.234.567" and "27.12.2023" are not. */
function endOfDecimals(text: string, from: number, to: number): number {
  if (text[to] !== '.' || characterKind(text, to + 1) !== DIGIT) return to
  if (from > 1 && text[from - 1] === '.') return to
  let end = to + 1
  while (end < text.length && characterKind(text, end) === DIGIT) end++
  return end - to > 3 || text[end] === '.' ? to : end
}

function gapBetween(text: string, from: number, to: number): number {
  if (from === to) return to === 0 ? GAP.blank : GAP.none
  let gap: number = GAP.joint
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    if (code === 32 || code === 9 || code === 10 || code === 13) gap = gap < GAP.blank ? GAP.blank : gap
    else if (code === 44 || code === 47 || code === 124 || code === 59) gap = gap < GAP.list ? GAP.list : gap
    else if (code === 45 || code === 46 || code === 95 || code === 39) {
      // A dash joins two pieces only if it touches both.
      if (to - from > 1) gap = GAP.other
    } else if (code === 41 && i === from && to > i + 1) gap = GAP.blank
    else gap = GAP.other
  }
  return gap
}
