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
  word: LexiconWord | null = null,
  kind: CharacterKind = 'latin',
  afterComma = false,
): Token {
  const [isNumber, isSymbol] = [kind === 'digit', kind === 'symbol']
  return { text, isNumber, isSymbol, gap, afterComma, word, line: null, isConsumed: false, isMistyped: false }
}

/** Longer titles are cut, so that callers cannot make matching expensive. */
export const MAX_TITLE_CHARS = 300

/** Lower case without accents and trade marks; Korean syllables stay whole. */
export function foldTitle(text: string): string {
  return text
    .slice(0, MAX_TITLE_CHARS)
    .replace(/\P{ASCII}/gu, foldLetter)
    .toLowerCase()
}

/** Cached: sellers use the same few hundred special characters. */
const foldLetter = memoize(20_000, (letter: string): string => {
  if ('™®©℠'.includes(letter)) return ' '
  return '″”“'.includes(letter) ? '"' : foldText(letter).normalize('NFC')
})

const SYMBOLS = '+&%"$£₩₫€'
const CURRENCY_SIGNS = '£₩₫€'
const LETTER = /^\p{L}$/u

type CharacterKind = 'digit' | 'latin' | 'other letter' | 'symbol' | 'separator'

/** By code, because this runs for every character of every title. */
function characterKind(text: string, at: number): CharacterKind {
  const code = text.charCodeAt(at)
  if (code >= 97 && code <= 122) return 'latin'
  if (code >= 48 && code <= 57) return 'digit'
  if (code === 32 || at >= text.length) return 'separator'
  const character = text[at] as string
  if (SYMBOLS.includes(character)) return 'symbol'
  if (code < 128 || !LETTER.test(character)) return 'separator'
  return code < 0x250 ? 'latin' : 'other letter'
}

/** Only Latin letters join with a number, as in "S23"; Korean, Cyrillic and other words do not. */
export const isLatinOrDigit = ({ text, isSymbol }: Token): boolean => !isSymbol && text.charCodeAt(0) < 0x250

/** Runs of letters of one script, numbers (with one decimal point), and symbols. `find` looks up words in the lexicon. */
export function tokenize(folded: string, find: (text: string) => LexiconWord | undefined = () => undefined): Token[] {
  const tokens: Token[] = []
  let end = 0
  for (let at = 0; at < folded.length; ) {
    const kind = characterKind(folded, at)
    let to = at + 1
    if (kind !== 'symbol') while (to < folded.length && characterKind(folded, to) === kind) to++
    if (kind === 'digit') to = endOfDecimals(folded, at, to)
    if (kind !== 'separator') {
      const characters = folded.slice(at, to)
      const text = CURRENCY_SIGNS.includes(characters) ? '$' : characters
      const word = find(text) ?? null
      const gap = at === 0 ? GAP.blank : gapOf(folded.slice(end, at))
      const afterComma = kind === 'digit' && folded.slice(end, at) === ',' && tokens.at(-1)?.isNumber === true
      // The lexicon's own string is compared faster than an equal one.
      tokens.push(createToken(word?.text ?? text, gap, word, kind, afterComma))
      end = to
    }
    at = to
  }
  return tokens
}

/** "12.9" is one number; "1.234.567" and "27.12.2023" are not. */
function endOfDecimals(text: string, from: number, to: number): number {
  if (text[to] !== '.' || (from > 1 && text[from - 1] === '.')) return to
  const [decimals = ''] = /^\.\d{1,2}(?![\d.])/.exec(text.slice(to)) ?? []
  return to + decimals.length
}

function gapOf(separator: string): number {
  if (separator === '') return GAP.none
  if (separator === ' ') return GAP.blank
  // A dash joins two pieces only if it touches both.
  if (/^[-._']$/.test(separator)) return GAP.joint
  // A closing bracket before a blank separates like the blank.
  const [, separators = ''] = /^\)?([ \t\n\r,/|;]+)$/.exec(separator) ?? []
  return separators === '' ? GAP.other : /[,/|;]/.test(separators) ? GAP.list : GAP.blank
}
