/** The pieces of a title that name a model. A device is meant only if it answers for every one of them. */

import {
  findTitleLines,
  isColorPartOfName,
  isLineWord,
  type NameContext,
  type NameEligibility,
  nameEligibility,
} from './name-eligibility.ts'
import {
  isBeforeName,
  isJoinedToName,
  isJoinedToUnknownWord,
  isLetterJoinedToNumber,
  isNextToName,
  isPlus,
  isUncommonWord,
  isUnknownCode,
} from './neighbours.ts'
import type { LexiconWord, WordRole } from './title-lexicon.ts'
import type { Item } from './token-phrases.ts'
import { GAP } from './tokens.ts'

export type NamePart = {
  readonly text: string
  /** Place among the items. */
  readonly position: number
  /** Part of names that people also leave out, or say without meaning a name. */
  readonly isOptional: boolean
  readonly isNumber: boolean
  readonly isLine: boolean
}

export type NameParts = {
  readonly parts: readonly NamePart[]
  /** Numbers nobody could place that stand apart from the name. */
  readonly detachedParts: readonly NamePart[]
  /** Words nobody knows. */
  readonly unknownWords: readonly string[]
  /** A word of the name was mistyped. */
  readonly isMistyped: boolean
}

/** How near the name the piece before stands. */
const DETACHED = 0
/** After something said of the device: an amount, a color, a carrier. */
const AFTER_ATTRIBUTE = 1
const ADJACENT = 2

export function findNameParts(items: readonly Item[], context: NameContext): NameParts {
  const lines = findTitleLines(items, context)
  const standings: NameEligibility[] = []
  for (const item of items) standings.push(nameEligibility(item, lines))
  const list: NamePart[] = []
  const loose: NamePart[] = []
  const unknown: string[] = []
  let isMistyped = false
  let hasNumber = context.hasCode
  let near: number = context.isMakeGiven ? ADJACENT : DETACHED
  let at = 0
  const claim = (item: Item, isSoft: boolean, text = item.text) => {
    list.push({
      text,
      position: at,
      isOptional: isSoft,
      isNumber: item.isNumber,
      isLine: lines.names.includes(item.text),
    })
    isMistyped ||= item.isMistyped
    hasNumber ||= item.isNumber
    near = ADJACENT
  }
  for (; at < items.length; at++) {
    const item = items[at] as Item
    const { word } = item
    const standing = standings[at] as NameEligibility
    // A name may go on after the network: "One 5G Ace".
    if (item.isConsumed) near = near === DETACHED || isNetwork(items, at) ? near : AFTER_ATTRIBUTE
    else if (word?.make && word.make === context.make && standing !== 'always') near = ADJACENT
    else if (item.isSymbol) {
      if (isPlus(items, at) && list.at(-1)?.position === at - 1) {
        // "7+ Plus" says it twice.
        if (items[at + 1]?.text !== 'plus' && list.at(-1)?.text !== 'plus') claim(item, false, 'plus')
      } else if (item.text !== '%') near = DETACHED
    } else if (item.isNumber) {
      const isTied = item.gap === GAP.none && list.at(-1)?.position === at - 1
      const isRest = item.gap === GAP.none && loose.at(-1)?.position === at - 1
      const isElse = isRest || (hasNumber && isUnrelatedNumber(items, at, near, context))
      if (isTied || (!isElse && belongsToName(items, at, standings, near))) claim(item, false)
      else {
        loose.push({ text: item.text, position: at, isOptional: false, isNumber: true, isLine: false })
        near = DETACHED
      }
    } else if (isLetterJoinedToNumber(items, at)) {
      // Letters behind a number that was not taken stay with it, and "(#K218)" after the name is the seller's own mark.
      if (loose.at(-1)?.position === at - 1 && item.gap === GAP.none) near = DETACHED
      else if (near !== ADJACENT && hasNumber && isSellerMark(items, at, context)) {
        near = DETACHED
        loose.push({ text: item.text, position: at, isOptional: true, isNumber: false, isLine: false })
      } else claim(item, false)
    } else if (standing === 'always') claim(item, false)
    else if (near === ADJACENT && isColorPartOfName(item, lines, context.make)) {
      claim(item, word?.scopes?.has(`${context.make}:color`) === true, word?.firstWord?.text)
    } else if (
      (standing === 'own' || standing === 'beside' || item.text.length === 1) &&
      continuesName(items, at, standings, near, list.at(-1), context)
    ) {
      claim(item, (word?.isOptional === true || word?.role === 'color') && !isLineWord(item, lines))
    } else if (word?.isOptional && !word.introducesExtras && word.role !== 'condition') {
      if (near === ADJACENT || isNextToName(items, at, standings)) claim(item, true)
    } else if (isUnknown(word) && !(word?.isOptional && word.introducesExtras)) {
      const isOneWord = item.gap === GAP.none && list.at(-1)?.position === at - 1
      if (
        isOneWord ||
        (near === ADJACENT && isUnknownCode(items, at)) ||
        (near === ADJACENT && item.gap <= GAP.blank && isUncommonWord(item))
      )
        claim(item, false)
      else {
        unknown.push(item.text)
        near = DETACHED
      }
    } else if (
      item.gap === GAP.none &&
      word?.role === 'noise' &&
      list.at(-1)?.position === at - 1 &&
      list.at(-1)?.isNumber
    )
      claim(item, false)
    // "Tab A with S Pen": what follows may still be the name.
    else if (word?.isOptional && word.introducesExtras && near === ADJACENT) continue
    else near = isAttribute(word) && near !== DETACHED ? AFTER_ATTRIBUTE : DETACHED
  }
  return { parts: list, detachedParts: loose, unknownWords: unknown, isMistyped }
}

const isNetwork = (items: readonly Item[], at: number) =>
  items[at]?.word?.unit === 'network' || items[at + 1]?.word?.unit === 'network'

const isUnknown = (word: LexiconWord | null) =>
  word === null ||
  (!word.role && !word.introducesExtras && !word.unit && !word.make && !word.precedesVersion && !word.partOfYear)

const ATTRIBUTES = new Set<WordRole | null>(['color', 'carrier', 'lock', 'connectivity', 'category', 'condition'])
const isAttribute = (word: LexiconWord | null) => ATTRIBUTES.has(word?.role ?? null)

/** Whether a number belongs to the model's name, or counts something else nobody knows. */
function belongsToName(
  items: readonly Item[],
  at: number,
  eligibility: readonly NameEligibility[],
  nearness: number,
): boolean {
  if (isJoinedToUnknownWord(items, at)) return false
  if (nearness === ADJACENT || isJoinedToName(items, at, eligibility) || isBeforeName(items, at, eligibility))
    return true
  if (nearness === DETACHED) return false
  const next = items[at + 1]
  return next === undefined || next.isConsumed || next.isSymbol || isAttribute(next.word)
}

/**
 * A model's number has one or two digits where another came before it: "iphone 12 350" names a price. Letters tied to
 * one that stands apart ("555X 4GB") are no model either, unless the make has such a name.
 */
function isUnrelatedNumber(
  items: readonly Item[],
  at: number,
  nearness: number,
  { pairs, make }: NameContext,
): boolean {
  const { text } = items[at] as Item
  const next = items[at + 1]
  if (next === undefined || next.gap !== GAP.none) return text.length >= 3 && !text.includes('.')
  return nearness !== ADJACENT && !pairs.has(`${make}:${text}${next.text}`)
}

/** Letters and a number written together that no name of the make has. */
function isSellerMark(items: readonly Item[], at: number, { pairs, make }: NameContext): boolean {
  const item = items[at] as Item
  const next = items[at + 1]
  return !(next?.isNumber && pairs.has(`${make}:${item.text}${next.text}`))
}

/** Letters alone are words in many languages: "s" and "i" count only where a name really goes on so. */
function continuesName(
  items: readonly Item[],
  at: number,
  eligibility: readonly NameEligibility[],
  nearness: number,
  before: NamePart | undefined,
  { pairs, make }: NameContext,
): boolean {
  const isPair = (text: string) => pairs.has(`${make}:${text}`)
  const item = items[at] as Item
  const isNext = isNextToName(items, at, eligibility)
  if (item.text.length === 1 && (item.word?.role || item.word?.introducesExtras)) {
    if (nearness !== ADJACENT && eligibility[at] === 'never') return false
    const next = items[at + 1]
    if (isNext && next?.isNumber) return isPair(item.text + next.text) || before?.isNumber !== true
    if (next && next.gap <= GAP.blank && isPair(item.text + next.text)) return true
    if (before?.position !== at - 1 || item.gap === GAP.list) return false
    // "LinkBuds S" ends there; "iphone 11 s baterijom" goes on, and the letter says "with".
    return (
      isPair(before.text + item.text) ||
      next === undefined ||
      next.isConsumed ||
      next.gap === GAP.other ||
      next.word?.role === 'color'
    )
  }
  if (eligibility[at] === 'never') return false
  if (eligibility[at] === 'own' && nearness !== DETACHED) return true
  return (nearness === ADJACENT && item.gap <= GAP.blank) || isNext
}
