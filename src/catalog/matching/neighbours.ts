/** Whether neighbouring letters and numbers of a title belong together. */

import type { NameEligibility } from './name-eligibility.ts'
import { GAP, isLatinOrDigit, type Token } from './tokens.ts'

/** "S23+" and "8+64GB" are models, "64GB + charger" and "GSM+CDMA" are not. */
export function isPlus(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at] as Token
  const next = tokens[at + 1]
  if (token.text !== '+') return false
  if (token.gap === GAP.none)
    return (
      next === undefined ||
      next.gap !== GAP.none ||
      isNetworkAt(tokens, at + 1) ||
      (next.isNumber && next.isConsumed && tokens[at - 1]?.isConsumed === false)
    )
  return (
    token.gap === GAP.blank &&
    !isLens(tokens, at + 1) &&
    (next === undefined || next.isConsumed || next.gap === GAP.other || next.word?.role === 'color')
  )
}

/** "A7 IV + 28-70mm", "R10 + 18-45 kit", "X-T3 + 35 f/2": a lens is included. */
const isLens = (tokens: readonly Token[], at: number) =>
  tokens[at]?.isNumber === true &&
  (tokens[at + 1]?.word?.unit === 'mm' ||
    tokens[at + 1]?.text === 'f' ||
    tokens[at + 2]?.word?.unit === 'mm' ||
    (tokens[at + 1]?.isNumber === true && tokens[at + 1]?.gap === GAP.joint))

/** "5G" directly after: "Note 13 Pro+5G". */
const isNetworkAt = (tokens: readonly Token[], at: number) =>
  tokens[at]?.isConsumed === true && tokens[at + 1]?.word?.unit === 'network'

/** One or two letters written together with a number, as in "s23", "6s", "xm4". */
export function isLetterJoinedToNumber(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at] as Token
  if (token.text.length > 2 || token.isNumber || !isLatinOrDigit(token)) return false
  const next = tokens[at + 1]
  if (next?.isNumber && !next.isConsumed && next.gap <= GAP.joint) return true
  // "X-T30": letters, a dash, letters joined to a number.
  const afterNext = tokens[at + 2]
  if (
    next?.gap === GAP.joint &&
    next.text.length <= 2 &&
    afterNext?.isNumber &&
    !afterNext.isConsumed &&
    afterNext.gap === GAP.none
  )
    return true
  const before = tokens[at - 1]
  return token.gap === GAP.none && before !== undefined && before.isNumber && !before.isConsumed
}

/** "bater98": a number joined to an unknown word is not a model number. */
export function isJoinedToUnknownWord(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]
  if ((tokens[at] as Token).gap !== GAP.none || !before || before.isNumber || before.isSymbol) return false
  return before.text.length > 2 && before.word === null
}

export function isJoinedToName(tokens: readonly Token[], at: number, eligibility: readonly NameEligibility[]): boolean {
  const token = tokens[at] as Token
  if (token.gap > GAP.joint || at === 0) return false
  const before = tokens[at - 1] as Token
  return before.text.length <= 2 ? !before.isSymbol : eligibility[at - 1] === 'always'
}

/** "13 Pro Max iPhone": the number begins the name. */
export function isBeforeName(tokens: readonly Token[], at: number, eligibility: readonly NameEligibility[]): boolean {
  const next = tokens[at + 1]
  if (!next || next.gap > GAP.blank) return false
  // "60.iPhone 13": a list number.
  if (at === 0 && next.gap === GAP.joint && next.line !== null) return false
  if (eligibility[at + 1] === 'always' || isLetterJoinedToNumber(tokens, at + 1)) return true
  return at === 0 && next.word?.make != null
}

export function isNextToName(tokens: readonly Token[], at: number, eligibility: readonly NameEligibility[]): boolean {
  const next = tokens[at + 1]
  if (!next || next.gap > GAP.blank || next.isSymbol) return false
  return next.isNumber ? !next.isConsumed : eligibility[at + 1] === 'always'
}

/** "PCH-2000" next to a name: a model number that the catalogue does not contain. */
export function isUnknownCode(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]
  return next?.isNumber === true && !next.isConsumed && next.gap === GAP.joint && (tokens[at] as Token).text.length <= 4
}

const GREEK_FROM = 0x370
const CYRILLIC_TO = 0x52f
/** Longer Greek and Cyrillic words beside a name are ordinary ones: names of models are listed in these scripts. */
const MAX_OTHER_LETTERS = 3

/** An unknown word next to the name may mean another model, such as "Turbo" or "Civi". */
export const isUncommonWord = ({ text }: Token): boolean => {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isLatin = code >= 97 && code <= 122
    const isOther = code >= GREEK_FROM && code <= CYRILLIC_TO && text.length <= MAX_OTHER_LETTERS
    if (!isLatin && !isOther) return false
  }
  return true
}
