/** What stands beside what: whether letters and numbers of a title belong together. */

import type { NameEligibility } from './name-eligibility.ts'
import type { Item } from './token-phrases.ts'
import { GAP } from './tokens.ts'

/** "S23+" is a model, "64GB + charger" and "GSM+CDMA" are not. Apart from the name it must end what is said. */
export function isPlus(items: readonly Item[], at: number): boolean {
  const item = items[at] as Item
  const next = items[at + 1]
  if (item.text !== '+') return false
  if (item.gap === GAP.none) return next === undefined || next.gap !== GAP.none || isNetworkAt(items, at + 1)
  return (
    item.gap === GAP.blank &&
    !isLens(items, at + 1) &&
    (next === undefined || next.isConsumed || next.gap === GAP.other || next.word?.role === 'color')
  )
}

/** "A7 IV + 28-70mm": a lens comes along. */
const isLens = (items: readonly Item[], at: number) =>
  items[at]?.isNumber === true && (items[at + 1]?.word?.unit === 'mm' || items[at + 2]?.word?.unit === 'mm')

/** "5G" written right behind: "Note 13 Pro+5G". */
const isNetworkAt = (items: readonly Item[], at: number) =>
  items[at]?.isConsumed === true && items[at + 1]?.word?.unit === 'network'

/** One or two letters written together with a number, as in "s23", "6s", "xm4". */
export function isLetterJoinedToNumber(items: readonly Item[], at: number): boolean {
  const item = items[at] as Item
  if (item.text.length > 2 || item.isNumber || item.isSymbol) return false
  const next = items[at + 1]
  if (next?.isNumber && !next.isConsumed && next.gap <= GAP.joint) return true
  // "X-T30": letters, a dash, letters tied to a number.
  const afterNext = items[at + 2]
  if (
    next?.gap === GAP.joint &&
    next.text.length <= 2 &&
    afterNext?.isNumber &&
    !afterNext.isConsumed &&
    afterNext.gap === GAP.none
  )
    return true
  const before = items[at - 1]
  return item.gap === GAP.none && before !== undefined && before.isNumber && !before.isConsumed
}

/** "bater98": a word nobody knows, written together with a number, makes no model of it. */
export function isJoinedToUnknownWord(items: readonly Item[], at: number): boolean {
  const before = items[at - 1]
  if ((items[at] as Item).gap !== GAP.none || !before || before.isNumber || before.isSymbol) return false
  return before.text.length > 2 && before.word === null
}

export function isJoinedToName(items: readonly Item[], at: number, eligibility: readonly NameEligibility[]): boolean {
  const item = items[at] as Item
  if (item.gap > GAP.joint || at === 0) return false
  const before = items[at - 1] as Item
  return before.text.length <= 2 ? !before.isSymbol : eligibility[at - 1] === 'always'
}

/** "13 Pro Max iPhone": the number begins the name. */
export function isBeforeName(items: readonly Item[], at: number, eligibility: readonly NameEligibility[]): boolean {
  const next = items[at + 1]
  if (!next || next.gap > GAP.blank) return false
  if (eligibility[at + 1] === 'always' || isLetterJoinedToNumber(items, at + 1)) return true
  return at === 0 && next.word?.make != null
}

export function isNextToName(items: readonly Item[], at: number, eligibility: readonly NameEligibility[]): boolean {
  const next = items[at + 1]
  if (!next || next.gap > GAP.blank || next.isSymbol) return false
  return next.isNumber ? !next.isConsumed : eligibility[at + 1] === 'always'
}

/** "PCH-2000" beside a name: a model number that the catalogue does not hold. */
export function isUnknownCode(items: readonly Item[], at: number): boolean {
  const next = items[at + 1]
  return next?.isNumber === true && !next.isConsumed && next.gap === GAP.joint && (items[at] as Item).text.length <= 4
}

const GREEK_FROM = 0x370
const CYRILLIC_TO = 0x52f

/** A word beside the name that no dictionary holds: it may well tell another model, as "Turbo" or "Civi" would. */
export const isUncommonWord = ({ text }: Item): boolean => {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isLetter = (code >= 97 && code <= 122) || (code >= GREEK_FROM && code <= CYRILLIC_TO)
    if (!isLetter) return false
  }
  return true
}
