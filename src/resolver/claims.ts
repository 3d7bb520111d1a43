/** The pieces of a title that name a model. A device is meant only if it answers for every one of them. */
import type { Item } from './items.ts'
import type { Role, Word } from './lexicon.ts'
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

export type ClaimContext = {
  readonly make: string | null
  /** It was given beside the title, so the name may begin at once. */
  readonly isMakeGiven: boolean
  /** Line words that count as said for this make, since people leave them out. */
  readonly silentLines: readonly string[]
  /** Line → its words, as the alias files know them. */
  readonly lineWords: ReadonlyMap<string, ReadonlySet<string>>
  /** One typing error away from a word that tells models apart, though too short to be sure: "ulta", "prp". */
  readonly resembles: (text: string) => boolean
  /** A code in the title says which device it is: numbers apart from the name are no part of it. */
  readonly hasCode: boolean
  /** `make:pieces` of names that follow each other where one is a letter alone: "6s", "s23", "series s". */
  readonly pairs: ReadonlySet<string>
}

/** `never`: not part of a name here. `beside`: only where it stands beside one. */
type Standing = 'always' | 'beside' | 'never'

/** How near the name the piece before stands. */
const APART = 0
/** After something said of the device: an amount, a color, a carrier. */
const AFTER_ATTRIBUTE = 1
const BESIDE = 2

export function claimsOf(items: readonly Item[], context: ClaimContext): Claims {
  const lines = linesOf(items, context)
  const standings = items.map((item) => standingOf(item, lines, context))
  const list: Claim[] = []
  const loose: Claim[] = []
  const unknown: string[] = []
  let isMistyped = false
  let near: number = context.isMakeGiven ? BESIDE : APART
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as Item
    const { word } = item
    const standing = standings[at] as Standing
    const claim = (isSoft: boolean, text = item.text) => {
      list.push({ text, at, isSoft, isNumber: item.isNumber, isLine: lines.has(item.text) })
      isMistyped ||= item.isMistyped
      near = BESIDE
    }
    // A name may go on after the network: "One 5G Ace".
    if (item.isRead) near = near === APART || isNetwork(items, at) ? near : AFTER_ATTRIBUTE
    else if (word?.make && word.make === context.make && standing !== 'always') near = BESIDE
    else if (item.isSign) {
      if (isPlus(items, at) && list.at(-1)?.at === at - 1) {
        // "7+ Plus" says it twice.
        if (items[at + 1]?.text !== 'plus' && list.at(-1)?.text !== 'plus') claim(false, 'plus')
      }
      else if (item.text !== '%') near = APART
    } else if (item.isNumber) {
      const isTied = item.gap === GAP.none && list.at(-1)?.at === at - 1
      const hasNumber = context.hasCode || list.some((one) => one.isNumber)
      const isRest = item.gap === GAP.none && loose.at(-1)?.at === at - 1
      const isElse = isRest || (hasNumber && isFarFigure(items, at, near, context))
      if (isTied || (!isElse && isPartOfName(items, at, standings, near))) claim(false)
      else {
        loose.push({ text: item.text, at, isSoft: false, isNumber: true, isLine: false })
        near = APART
      }
    } else if (isTiedLetter(items, at)) {
      const hasNumber = context.hasCode || list.some((one) => one.isNumber)
      // Letters behind a number that was not taken stay with it, and "(#K218)" after the name is the seller's own mark.
      if (loose.at(-1)?.at === at - 1 && item.gap === GAP.none) near = APART
      else if (near !== BESIDE && hasNumber && isMark(items, at, context)) {
        near = APART
        loose.push({ text: item.text, at, isSoft: true, isNumber: false, isLine: false })
      } else claim(false)
    } else if (standing === 'always') claim(false)
    else if (near === BESIDE && isColoredName(item, lines, context)) claim(false, word?.head?.text)
    else if ((standing === 'beside' || item.text.length === 1) && isSaidBeside(items, at, standings, near, list.at(-1), context)) {
      claim((word?.isSoft === true || word?.role === 'color') && !isLineWord(item, lines, context))
    } else if (word?.isSoft && !word.isGift && word.role !== 'condition') {
      if (near === BESIDE || isBesideNext(items, at, standings)) claim(true)
    } else if (isUnknown(word)) {
      // A short word beside the name that nobody knows may well tell another model: "Nord CE", "Find N".
      const isOneWord = item.gap === GAP.none && list.at(-1)?.at === at - 1
      if (isOneWord || (near === BESIDE && isUnknownCode(items, at)) || (near === BESIDE && item.gap <= GAP.blank && isOdd(items, at, standings, context))) claim(false)
      else {
        unknown.push(item.text)
        near = APART
      }
    } else near = isAttribute(word) && near !== APART ? AFTER_ATTRIBUTE : APART
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
  if (next === undefined || next.gap !== GAP.none) return text.length >= 3
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
  if (item.text.length === 1 && item.word?.role) {
    if (near !== BESIDE && standings[at] !== 'beside') return false
    const next = items[at + 1]
    if (isNext && next?.isNumber) return isPair(item.text + next.text) || before?.isNumber !== true
    if (next && next.gap <= GAP.blank && isPair(item.text + next.text)) return true
    if (before?.at !== at - 1 || item.gap === GAP.list) return false
    // "LinkBuds S" ends there; "iphone 11 s baterijom" goes on, and the letter says "with".
    return isPair(before.text + item.text) || next === undefined || next.isRead || next.gap === GAP.other || next.word?.role === 'color'
  }
  if (standings[at] !== 'beside') return false
  return (near === BESIDE && (item.gap <= GAP.blank || item.word?.scopes != null)) || isNext
}

/** Line words of the make that stand in the title. */
function linesOf(items: readonly Item[], { make, silentLines }: ClaimContext): Set<string> {
  const lines = new Set<string>()
  for (const item of items) {
    if (item.isRead || !item.word) continue
    if (item.word.scopes?.has(`${make}/`) || (item.word.line !== null && item.word.line === make)) lines.add(item.text)
  }
  // Line words that people leave out count as said where no other line is.
  if (lines.size === 0) for (const line of silentLines) lines.add(line.replace('#', ''))
  else for (const line of silentLines) if (!line.endsWith('#')) lines.add(line)
  return lines
}

function standingOf(item: Item, lines: ReadonlySet<string>, { make, lineWords }: ClaimContext): Standing {
  const { word } = item
  if (!word || item.isRead) return 'never'
  if (word.isModel || item.line !== null) return 'always'
  const isOrdinary = word.role !== null || word.isModelBeside || word.isSoft || word.isGift || word.unit !== null
  const isOwn = word.scopes !== null && hasScope(word.scopes, make, lines)
  if (isOwn && !isOrdinary) return 'always'
  if (isLineWord(item, lines, { lineWords })) return word.role === null && item.text.length > 1 ? 'always' : 'beside'
  return isOwn || word.isModelBeside ? 'beside' : 'never'
}

/** "Vive Cosmos Blue": the first word of a color is a model's here. */
function isColoredName({ word }: Item, lines: ReadonlySet<string>, { make }: ClaimContext): boolean {
  if (word?.role !== 'color' || !word.head) return false
  if (word.head.scopes && hasScope(word.head.scopes, make, lines)) return true
  return word.head.isModelBeside && word.scopes !== null && !word.scopes.has(`${make}:color`)
}

function isLineWord({ text }: Item, lines: ReadonlySet<string>, { lineWords }: Pick<ClaimContext, 'lineWords'>): boolean {
  for (const line of lines) if (lineWords.get(line)?.has(text)) return true
  return false
}

function hasScope(scopes: ReadonlySet<string>, make: string | null, lines: ReadonlySet<string>): boolean {
  if (scopes.has(`${make}/`)) return true
  for (const line of lines) if (scopes.has(`${make}/${line}`)) return true
  return false
}

/** "S23+" is a model, "64GB + charger" and "GSM+CDMA" are not. Apart from the name it must end what is said. */
function isPlus(items: readonly Item[], at: number): boolean {
  const item = items[at] as Item
  const next = items[at + 1]
  if (item.text !== '+') return false
  if (item.gap === GAP.none) return next === undefined || next.gap !== GAP.none
  return item.gap === GAP.blank && (next === undefined || next.isRead || next.gap === GAP.other || next.word?.role === 'color')
}

/** One or two letters written together with a number, as in "s23", "6s", "xm4". */
function isTiedLetter(items: readonly Item[], at: number): boolean {
  const item = items[at] as Item
  if (item.text.length > 2 || item.isNumber || item.isSign) return false
  const next = items[at + 1]
  if (next?.isNumber && !next.isRead && next.gap <= GAP.joint) return true
  // "X-T30": letters, a dash, letters tied to a number.
  const afterNext = items[at + 2]
  if (next?.gap === GAP.joint && next.text.length <= 2 && afterNext?.isNumber && !afterNext.isRead && afterNext.gap === GAP.none) return true
  const before = items[at - 1]
  return item.gap === GAP.none && before !== undefined && before.isNumber && !before.isRead
}

/** "bater98": a word nobody knows, written together with a number, makes no model of it. */
function isTiedToUnknown(items: readonly Item[], at: number): boolean {
  const before = items[at - 1]
  if ((items[at] as Item).gap !== GAP.none || !before || before.isNumber || before.isSign) return false
  return before.text.length > 2 && before.word === null
}

function isTiedToName(items: readonly Item[], at: number, standings: readonly Standing[]): boolean {
  const item = items[at] as Item
  if (item.gap > GAP.joint || at === 0) return false
  const before = items[at - 1] as Item
  return before.text.length <= 2 ? !before.isSign : standings[at - 1] === 'always'
}

/** "13 Pro Max iPhone": the number begins the name. */
function isBeforeName(items: readonly Item[], at: number, standings: readonly Standing[]): boolean {
  const next = items[at + 1]
  if (!next || next.gap > GAP.blank) return false
  if (standings[at + 1] === 'always' || isTiedLetter(items, at + 1)) return true
  return at === 0 && next.word?.make != null
}

function isBesideNext(items: readonly Item[], at: number, standings: readonly Standing[]): boolean {
  const next = items[at + 1]
  if (!next || next.gap > GAP.blank || next.isSign) return false
  return next.isNumber ? !next.isRead : standings[at + 1] === 'always'
}

/** "PCH-2000" beside a name: a model number that the catalogue does not hold. */
function isUnknownCode(items: readonly Item[], at: number): boolean {
  const next = items[at + 1]
  return next !== undefined && next.isNumber && !next.isRead && next.gap === GAP.joint && (items[at] as Item).text.length <= 4
}

/** Short, or followed by more of the name. */
function isOdd(items: readonly Item[], at: number, standings: readonly Standing[], { resembles }: ClaimContext): boolean {
  const item = items[at] as Item
  if (item.text.length <= 3 && /^[a-z]+$/.test(item.text)) return true
  return isBesideNext(items, at, standings) || resembles(item.text)
}
