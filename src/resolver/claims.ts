/** The pieces of a title that name a model. A device is meant only if it answers for every one of them. */
import type { Item } from './items.ts'
import {
  isBeforeName,
  isBesideNext,
  isOdd,
  isPlus,
  isTiedLetter,
  isTiedToName,
  isTiedToUnknown,
  isUnknownCode,
} from './neighbours.ts'
import { type ClaimContext, isColoredName, isLineWord, linesOf, type Standing, standingOf } from './standing.ts'
import type { Role, Word } from './title-lexicon.ts'
import { GAP } from './tokens.ts'

export type Claim = {
  readonly text: string
  /** Place among the items. */
  readonly at: number
  /** Part of names that people also leave out, or say without meaning a name. */
  readonly isSoft: boolean
  readonly isNumber: boolean
  readonly isLine: boolean
}

export type Claims = {
  readonly list: readonly Claim[]
  /** Numbers nobody could place that stand apart from the name. */
  readonly loose: readonly Claim[]
  /** Words nobody knows. */
  readonly unknown: readonly string[]
  /** A word of the name was mistyped. */
  readonly isMistyped: boolean
}

/** How near the name the piece before stands. */
const APART = 0
/** After something said of the device: an amount, a color, a carrier. */
const AFTER_ATTRIBUTE = 1
const BESIDE = 2

export function claimsOf(items: readonly Item[], context: ClaimContext): Claims {
  const lines = linesOf(items, context)
  const standings: Standing[] = []
  for (const item of items) standings.push(standingOf(item, lines))
  const list: Claim[] = []
  const loose: Claim[] = []
  const unknown: string[] = []
  let isMistyped = false
  let hasNumber = context.hasCode
  let near: number = context.isMakeGiven ? BESIDE : APART
  let at = 0
  const claim = (item: Item, isSoft: boolean, text = item.text) => {
    list.push({ text, at, isSoft, isNumber: item.isNumber, isLine: lines.names.includes(item.text) })
    isMistyped ||= item.isMistyped
    hasNumber ||= item.isNumber
    near = BESIDE
  }
  for (; at < items.length; at++) {
    const item = items[at] as Item
    const { word } = item
    const standing = standings[at] as Standing
    // A name may go on after the network: "One 5G Ace".
    if (item.isRead) near = near === APART || isNetwork(items, at) ? near : AFTER_ATTRIBUTE
    else if (word?.make && word.make === context.make && standing !== 'always') near = BESIDE
    else if (item.isSign) {
      if (isPlus(items, at) && list.at(-1)?.at === at - 1) {
        // "7+ Plus" says it twice.
        if (items[at + 1]?.text !== 'plus' && list.at(-1)?.text !== 'plus') claim(item, false, 'plus')
      } else if (item.text !== '%') near = APART
    } else if (item.isNumber) {
      const isTied = item.gap === GAP.none && list.at(-1)?.at === at - 1
      const isRest = item.gap === GAP.none && loose.at(-1)?.at === at - 1
      const isElse = isRest || (hasNumber && isFarFigure(items, at, near, context))
      if (isTied || (!isElse && isPartOfName(items, at, standings, near))) claim(item, false)
      else {
        loose.push({ text: item.text, at, isSoft: false, isNumber: true, isLine: false })
        near = APART
      }
    } else if (isTiedLetter(items, at)) {
      // Letters behind a number that was not taken stay with it, and "(#K218)" after the name is the seller's own mark.
      if (loose.at(-1)?.at === at - 1 && item.gap === GAP.none) near = APART
      else if (near !== BESIDE && hasNumber && isMark(items, at, context)) {
        near = APART
        loose.push({ text: item.text, at, isSoft: true, isNumber: false, isLine: false })
      } else claim(item, false)
    } else if (standing === 'always') claim(item, false)
    else if (near === BESIDE && isColoredName(item, lines, context.make)) {
      claim(item, word?.scopes?.has(`${context.make}:color`) === true, word?.head?.text)
    } else if (
      (standing === 'own' || standing === 'beside' || item.text.length === 1) &&
      isSaidBeside(items, at, standings, near, list.at(-1), context)
    ) {
      claim(item, (word?.isSoft === true || word?.role === 'color') && !isLineWord(item, lines))
    } else if (word?.isSoft && !word.isGift && word.role !== 'condition') {
      if (near === BESIDE || isBesideNext(items, at, standings)) claim(item, true)
    } else if (isUnknown(word) && !(word?.isSoft && word.isGift)) {
      const isOneWord = item.gap === GAP.none && list.at(-1)?.at === at - 1
      if (
        isOneWord ||
        (near === BESIDE && isUnknownCode(items, at)) ||
        (near === BESIDE && item.gap <= GAP.blank && isOdd(item))
      )
        claim(item, false)
      else {
        unknown.push(item.text)
        near = APART
      }
    } else if (item.gap === GAP.none && word?.role === 'noise' && list.at(-1)?.at === at - 1 && list.at(-1)?.isNumber)
      claim(item, false)
    // "Tab A with S Pen": what follows may still be the name.
    else if (word?.isSoft && word.isGift && near === BESIDE) continue
    else near = isAttribute(word) && near !== APART ? AFTER_ATTRIBUTE : APART
  }
  return { list, loose, unknown, isMistyped }
}

const isNetwork = (items: readonly Item[], at: number) =>
  items[at]?.word?.unit === 'network' || items[at + 1]?.word?.unit === 'network'

const isUnknown = (word: Word | null) =>
  word === null || (!word.role && !word.isGift && !word.unit && !word.make && !word.isVersioned && !word.partOfYear)

const ATTRIBUTES = new Set<Role | null>(['color', 'carrier', 'lock', 'connectivity', 'category', 'condition'])
const isAttribute = (word: Word | null) => ATTRIBUTES.has(word?.role ?? null)

/** Whether a number belongs to the model's name, or counts something else nobody knows. */
function isPartOfName(items: readonly Item[], at: number, standings: readonly Standing[], near: number): boolean {
  if (isTiedToUnknown(items, at)) return false
  if (near === BESIDE || isTiedToName(items, at, standings) || isBeforeName(items, at, standings)) return true
  if (near === APART) return false
  const next = items[at + 1]
  return next === undefined || next.isRead || next.isSign || isAttribute(next.word)
}

/**
 * A model's number has one or two digits where another came before it: "iphone 12 350" names a price. Letters tied to
 * one that stands apart ("555X 4GB") are no model either, unless the make has such a name.
 */
function isFarFigure(items: readonly Item[], at: number, near: number, { pairs, make }: ClaimContext): boolean {
  const { text } = items[at] as Item
  const next = items[at + 1]
  if (next === undefined || next.gap !== GAP.none) return text.length >= 3 && !text.includes('.')
  return near !== BESIDE && !pairs.has(`${make}:${text}${next.text}`)
}

/** Letters and a number written together that no name of the make has. */
function isMark(items: readonly Item[], at: number, { pairs, make }: ClaimContext): boolean {
  const item = items[at] as Item
  const next = items[at + 1]
  return !(next?.isNumber && pairs.has(`${make}:${item.text}${next.text}`))
}

/** Letters alone are words in many languages: "s" and "i" count only where a name really goes on so. */
function isSaidBeside(
  items: readonly Item[],
  at: number,
  standings: readonly Standing[],
  near: number,
  before: Claim | undefined,
  { pairs, make }: ClaimContext,
): boolean {
  const isPair = (text: string) => pairs.has(`${make}:${text}`)
  const item = items[at] as Item
  const isNext = isBesideNext(items, at, standings)
  if (item.text.length === 1 && (item.word?.role || item.word?.isGift)) {
    if (near !== BESIDE && standings[at] === 'never') return false
    const next = items[at + 1]
    if (isNext && next?.isNumber) return isPair(item.text + next.text) || before?.isNumber !== true
    if (next && next.gap <= GAP.blank && isPair(item.text + next.text)) return true
    if (before?.at !== at - 1 || item.gap === GAP.list) return false
    // "LinkBuds S" ends there; "iphone 11 s baterijom" goes on, and the letter says "with".
    return (
      isPair(before.text + item.text) ||
      next === undefined ||
      next.isRead ||
      next.gap === GAP.other ||
      next.word?.role === 'color'
    )
  }
  if (standings[at] === 'never') return false
  if (standings[at] === 'own' && near !== APART) return true
  return (near === BESIDE && item.gap <= GAP.blank) || isNext
}
