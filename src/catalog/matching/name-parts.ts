/** The pieces of a title that name a model. A device matches only if its name accounts for every one of them. */

import {
  findTitleLines,
  isColorPartOfName,
  isLineWord,
  type ModifierRules,
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
import { GAP, type Token } from './tokens.ts'

export type NamePart = {
  readonly text: string
  /** Index of its token. */
  readonly position: number
  /** Often omitted from names, or used without meaning a name. */
  readonly isOptional: boolean
  /** May be an ordinary word here, as in "iPhone 13 mini scratches": both readings are looked up. */
  readonly isDoubtful: boolean
  readonly isNumber: boolean
  readonly isLine: boolean
  /** Written after a list separator, as the second model of "14 Pro / 14 Pro Max". */
  readonly isListed: boolean
  /** Written as one word with the part before it, as in "5A": the two are never reordered. */
  readonly isJoined: boolean
}

export type NameParts = {
  readonly parts: readonly NamePart[]
  /** Uninterpreted numbers away from the name. */
  readonly detachedParts: readonly NamePart[]
  readonly unknownWords: readonly string[]
  /** A word of the name was mistyped. */
  readonly isMistyped: boolean
}

/** Distance of the previous piece from the name. */
const DETACHED = 0
/** After an attribute of the device: an amount, a color, a carrier. */
const AFTER_ATTRIBUTE = 1
/** After a year or a generation, which are part of many names: "Moto G 2022 Power". */
const AFTER_FACT = 2
const ADJACENT = 3

export function findNameParts(tokens: readonly Token[], context: NameContext): NameParts {
  const lines = findTitleLines(tokens, context)
  const eligibilities: NameEligibility[] = []
  for (const token of tokens) eligibilities.push(nameEligibility(token, lines))
  const parts: NamePart[] = []
  const detachedParts: NamePart[] = []
  const unknownWords: string[] = []
  let isMistyped = false
  let hasNumber = context.hasCode
  let nearness: number = context.isMakeGiven ? ADJACENT : DETACHED
  let at = 0
  const addPart = (token: Token, isOptional: boolean, text = token.text, isDoubtful = false) => {
    const previous = parts.at(-1)
    parts.push({
      text,
      position: at,
      isOptional,
      isDoubtful,
      isNumber: token.isNumber,
      isLine: lines.names.includes(token.text),
      isListed: token.gap === GAP.list,
      isJoined:
        previous !== undefined &&
        previous.position === at - 1 &&
        token.gap <= GAP.joint &&
        (token.isNumber ? previous.text.length <= 2 && !previous.isNumber : text.length <= 2 && previous.isNumber),
    })
    isMistyped ||= token.isMistyped
    hasNumber ||= token.isNumber
    nearness = ADJACENT
  }
  for (; at < tokens.length; at++) {
    const token = tokens[at] as Token
    const { word } = token
    const eligibility = eligibilities[at] as NameEligibility
    // A name may continue after the network: "One 5G Ace".
    if (token.isConsumed) {
      if (nearness !== DETACHED && !isNetwork(tokens, at))
        nearness = nearness >= AFTER_FACT && isNameFact(tokens, at) ? AFTER_FACT : AFTER_ATTRIBUTE
    } else if (word?.make && word.make === context.make && eligibility !== 'always') nearness = ADJACENT
    else if (token.isSymbol) {
      if (isPlus(tokens, at) && parts.at(-1)?.position === at - 1) {
        // "7+ Plus" states it twice.
        if (tokens[at + 1]?.text !== 'plus' && parts.at(-1)?.text !== 'plus') addPart(token, false, 'plus')
      } else if (token.text !== '%') nearness = DETACHED
    } else if (token.isNumber) {
      const isJoined = token.gap === GAP.none && parts.at(-1)?.position === at - 1
      const continuesDetached = token.gap === GAP.none && detachedParts.at(-1)?.position === at - 1
      const isUnrelated =
        continuesDetached ||
        isCountOfExtras(tokens, at) ||
        (hasNumber && isUnrelatedNumber(tokens, at, nearness, context))
      if (isJoined || (!isUnrelated && belongsToName(tokens, at, eligibilities, nearness))) addPart(token, false)
      else {
        detachedParts.push(detachedPart(token, at, false))
        nearness = DETACHED
      }
    } else if (isLetterJoinedToNumber(tokens, at)) {
      // Letters after a skipped number are skipped too, and "(#K218)" after the name is the seller's reference.
      if (detachedParts.at(-1)?.position === at - 1 && token.gap === GAP.none) nearness = DETACHED
      else if (nearness !== ADJACENT && hasNumber && isSellerMark(tokens, at, context)) {
        nearness = DETACHED
        detachedParts.push(detachedPart(token, at, true))
      } else addPart(token, false)
    } else if (eligibility === 'always') {
      const use = modifierUse(tokens, at, context.modifiers)
      // "PS5 with slim headset".
      const isIncluded = tokens[at - 1]?.word?.introducesExtras === true
      const isNameGoingOn =
        !isIncluded && (nearness === ADJACENT || (nearness === AFTER_FACT && isLineWord(token, lines)))
      const place = isNameGoingOn
        ? 'name'
        : detachedUse(tokens, at, eligibilities, context.modifiers.get(token.text)?.describesLocks === true)
      if ((nearness === ADJACENT && place !== 'modifier') || (use === 'name' && place === 'name'))
        addPart(token, false, token.text, use === 'doubtful')
      else if (use === 'name' && place === 'doubtful') {
        addPart(token, false, token.text, true)
        // What follows belongs to the doubtful word, not to the name.
        nearness = DETACHED
      } else nearness = DETACHED
    } else if (nearness === ADJACENT && isArticleWithoutNoun(tokens, at)) addPart(token, false)
    else if (nearness === ADJACENT && isColorPartOfName(token, lines, context.make)) {
      addPart(token, word?.scopes?.has(`${context.make}:color`) === true, word?.firstWord?.text)
    } else if (word?.introducesExtras && word.isOptional && nearness === AFTER_ATTRIBUTE) nearness = DETACHED
    else if (
      (eligibility === 'near' || eligibility === 'adjacent' || token.text.length === 1) &&
      !(nearness < AFTER_FACT && (describesAccessory(tokens, at) || tokens[at - 1]?.word?.introducesExtras === true)) &&
      continuesName(tokens, at, eligibilities, nearness, parts.at(-1), context)
    ) {
      addPart(token, (word?.isOptional === true || word?.role === 'color') && !isLineWord(token, lines))
    } else if (word?.isOptional && !word.introducesExtras && word.role !== 'condition') {
      if (nearness === ADJACENT || isNextToName(tokens, at, eligibilities)) addPart(token, true)
    } else if (isUnknown(word) && !(word?.isOptional && word.introducesExtras)) {
      const isOneWord = token.gap === GAP.none && parts.at(-1)?.position === at - 1
      if (
        isOneWord ||
        (nearness === ADJACENT && isUnknownCode(tokens, at)) ||
        (nearness === ADJACENT &&
          token.gap <= GAP.blank &&
          isUncommonWord(token) &&
          !isConsoleEdition(tokens, at, lines.names) &&
          // "with chest mount": what is included is unknown.
          !tokens[at - 1]?.word?.introducesExtras)
      )
        addPart(token, false)
      else {
        unknownWords.push(token.text)
        nearness = DETACHED
      }
    } else if (
      token.gap === GAP.none &&
      word?.role === 'noise' &&
      parts.at(-1)?.position === at - 1 &&
      parts.at(-1)?.isNumber
    )
      addPart(token, false)
    // "Tab A with S Pen": what follows may still be the name.
    else if (word?.isOptional && word.introducesExtras && nearness === ADJACENT) continue
    else nearness = isAttribute(word) && nearness !== DETACHED ? AFTER_ATTRIBUTE : DETACHED
  }
  return { parts, detachedParts, unknownWords, isMistyped }
}

const CONSOLE_LINES = new Set(['xbox', 'playstation', 'switch'])
const MAX_EDITION_WORDS = 3

/** "Xbox One X Scorpio Edition": a console in other colors. */
const isConsoleEdition = (tokens: readonly Token[], at: number, lineNames: readonly string[]) =>
  lineNames.some((line) => CONSOLE_LINES.has(line)) &&
  tokens.slice(at + 1, at + 1 + MAX_EDITION_WORDS).some(({ text }) => text === 'edition')

/** A part away from the name. */
export const detachedPart = (
  { text, isNumber }: Pick<Token, 'text' | 'isNumber'>,
  position: number,
  isOptional: boolean,
): NamePart => ({
  text,
  position,
  isOptional,
  isDoubtful: false,
  isNumber,
  isLine: false,
  isListed: false,
  isJoined: false,
})

/** "128GB mini scratches", "64GB plus charger": the word describes what follows. Next to a name some of them are doubtful. */
function modifierUse(tokens: readonly Token[], at: number, modifiers: ModifierRules): 'name' | 'doubtful' | 'modifier' {
  const rule = modifiers.get((tokens[at] as Token).text)
  const next = tokens[at + 1]
  // "max. očuvan": only words that are never doubtful are abbreviated.
  if (!rule || !next || next.gap > (rule.isDoubtfulNextToName ? GAP.blank : GAP.other)) return 'name'
  if (!rule.nouns.has(next.text) && !rule.roles.has(next.word?.role ?? '')) return 'name'
  return rule.isDoubtfulNextToName ? 'doubtful' : 'modifier'
}

const ACCESSORIES_AND_PARTS = new Set<WordRole | null>(['accessory', 'part', 'weak_part', 'box', 'weak_box'])
/** "128GB turbo charger". */
const describesAccessory = (tokens: readonly Token[], at: number) =>
  (tokens[at + 1]?.gap ?? GAP.other) <= GAP.blank && ACCESSORIES_AND_PARTS.has(tokens[at + 1]?.word?.role ?? null)

/** Roles of the words between a modifier and its noun: "ultra thin cover". */
const ADJECTIVES = new Set<WordRole | null>(['noise', 'color', 'condition', 'ordinary'])
const MAX_ADJECTIVES = 2

/**
 * Use of model words away from the name: "13 128GB Pro Max" names a model, "14 128GB pro case" an accessory, and in
 * "13 128GB pro refurbished" and "13 128GB pro unlocked" both are possible.
 */
function detachedUse(
  tokens: readonly Token[],
  at: number,
  eligibilities: readonly NameEligibility[],
  isAdverbOfLock: boolean,
): 'name' | 'doubtful' | 'modifier' {
  if ((tokens[at] as Token).line !== null) return 'name'
  let next = at + 1
  while (eligibilities[next] === 'always' && (tokens[next] as Token).gap <= GAP.blank) {
    if ((tokens[next] as Token).line !== null) return 'name'
    next++
  }
  const follower = tokens[next]
  if (tokens[at]?.text === 'max' && isPercentage(tokens, next)) return 'doubtful'
  if (!follower || follower.gap > GAP.blank || !mayBeDescribed(tokens, next)) return 'name'
  for (let noun = next; noun <= next + MAX_ADJECTIVES; noun++) {
    const token = tokens[noun]
    if (!token || (noun > next && token.gap > GAP.blank)) break
    if (ACCESSORIES_AND_PARTS.has(token.word?.role ?? null)) return 'modifier'
    if (token.word !== null && !ADJECTIVES.has(token.word.role)) break
  }
  if (isSoundProduct(follower.word) && tokens.some(({ word }) => word?.unit === 'gb')) return 'modifier'
  // "pro unlock" may be a service, unlike "Pro Max unlocked".
  if (follower.word?.role === 'lock') return next === at + 1 && isAdverbOfLock ? 'doubtful' : 'name'
  return isAttribute(follower.word) && follower.word?.role !== 'condition' ? 'name' : 'doubtful'
}

/** "max 87%" may state the capacity of the battery. */
const isPercentage = (tokens: readonly Token[], at: number) =>
  tokens[at]?.isNumber === true && (tokens[at + 1]?.text === '%' || tokens[at + 1]?.word?.unit === 'percent')

const SOUND_CATEGORIES = new Set(['earbuds', 'headphones', 'speaker', 'soundbar'])
/** "14 128GB pro earphones": sold with the device. */
const isSoundProduct = (word: LexiconWord | null) => word?.role === 'category' && SOUND_CATEGORIES.has(word.value)

/** Words for extras that a model word before them may describe, unlike "with" and "and". */
const DESCRIBED_EXTRAS = new Set('bundle extra extras bonus free gratis original'.split(' '))

/** Whether the word can be what a modifier before it describes, rather than a number, a make or a conjunction. */
function mayBeDescribed(tokens: readonly Token[], at: number): boolean {
  const { isConsumed, isNumber, isSymbol, word } = tokens[at] as Token
  return (
    !isConsumed &&
    !isNumber &&
    !isSymbol &&
    !word?.make &&
    (!word?.introducesExtras || DESCRIBED_EXTRAS.has(word.text)) &&
    !isLetterJoinedToNumber(tokens, at)
  )
}

/** The "LE" of "S20 LE 128GB" belongs to the model: an article would be followed by its noun. */
function isArticleWithoutNoun(tokens: readonly Token[], at: number): boolean {
  const { word, gap } = tokens[at] as Token
  if (!word?.isArticle || gap > GAP.blank) return false
  const next = tokens[at + 1]
  return next === undefined || next.isConsumed || next.isSymbol || next.gap > GAP.blank || isAttribute(next.word)
}

/** "with 3 batteries": a count of what is included. */
const isCountOfExtras = (tokens: readonly Token[], at: number) =>
  tokens[at - 1]?.word?.introducesExtras === true && ACCESSORIES_AND_PARTS.has(tokens[at + 1]?.word?.role ?? null)

/** A year, or a generation with its unit. */
function isNameFact(tokens: readonly Token[], at: number): boolean {
  const { text, isNumber, word } = tokens[at] as Token
  const isGeneration = (unit: string | null | undefined) => unit === 'generation' || unit === 'ordinal'
  if (!isNumber) return isGeneration(word?.unit)
  return (
    (text.length === 4 && text.startsWith('20')) ||
    isGeneration(tokens[at + 1]?.word?.unit) ||
    isGeneration(tokens[at - 1]?.word?.unit)
  )
}

const isNetwork = (tokens: readonly Token[], at: number) =>
  tokens[at]?.word?.unit === 'network' || tokens[at + 1]?.word?.unit === 'network'

const isUnknown = (word: LexiconWord | null) =>
  word === null ||
  (!word.role && !word.introducesExtras && !word.unit && !word.make && !word.precedesVersion && !word.partOfYear)

const ATTRIBUTES = new Set<WordRole | null>(['color', 'carrier', 'lock', 'connectivity', 'category', 'condition'])
const isAttribute = (word: LexiconWord | null) => ATTRIBUTES.has(word?.role ?? null)

/** Whether a number belongs to the model's name rather than to something unknown. */
function belongsToName(
  tokens: readonly Token[],
  at: number,
  eligibility: readonly NameEligibility[],
  nearness: number,
): boolean {
  if (isJoinedToUnknownWord(tokens, at)) return false
  if (nearness === ADJACENT || isJoinedToName(tokens, at, eligibility) || isBeforeName(tokens, at, eligibility))
    return true
  if (nearness === DETACHED) return false
  const next = tokens[at + 1]
  return next === undefined || next.isConsumed || next.isSymbol || isAttribute(next.word)
}

/**
 * A second model number has at most two digits: the 350 of "iphone 12 350" is a price. A number away from the name with
 * letters joined to it ("555X 4GB") is not a model either, unless the make has such a name.
 */
function isUnrelatedNumber(
  tokens: readonly Token[],
  at: number,
  nearness: number,
  { pairs, make, isNameNumber }: NameContext,
): boolean {
  const { text } = tokens[at] as Token
  const next = tokens[at + 1]
  if (next === undefined || next.gap !== GAP.none)
    return (
      text.length >= 3 && !text.includes('.') && !(nearness === ADJACENT && text.length === 3 && isNameNumber(text))
    )
  return nearness !== ADJACENT && !pairs.has(`${make}:${text}${next.text}`)
}

/** Letters joined to a number that no name of the make contains. */
function isSellerMark(tokens: readonly Token[], at: number, { pairs, make }: NameContext): boolean {
  const token = tokens[at] as Token
  const next = tokens[at + 1]
  return !(next?.isNumber && pairs.has(`${make}:${token.text}${next.text}`))
}

/** Single letters are words in many languages: "s" and "i" count only if a known name continues with them. */
function continuesName(
  tokens: readonly Token[],
  at: number,
  eligibility: readonly NameEligibility[],
  nearness: number,
  before: NamePart | undefined,
  { pairs, make }: NameContext,
): boolean {
  const isPair = (text: string) => pairs.has(`${make}:${text}`)
  const token = tokens[at] as Token
  const precedesName = isNextToName(tokens, at, eligibility)
  if (token.text.length === 1 && (token.word?.role || token.word?.introducesExtras)) {
    if (nearness !== ADJACENT && eligibility[at] === 'never') return false
    const next = tokens[at + 1]
    if (precedesName && next?.isNumber) return isPair(token.text + next.text) || before?.isNumber !== true
    if (next && next.gap <= GAP.blank && isPair(token.text + next.text)) return true
    if (before?.position !== at - 1 || token.gap === GAP.list) return false
    // "LinkBuds S" ends with the letter; in "iphone 11 s baterijom" the letter means "with".
    return (
      isPair(before.text + token.text) ||
      next === undefined ||
      next.isConsumed ||
      next.gap === GAP.other ||
      next.word?.role === 'color'
    )
  }
  if (eligibility[at] === 'never') return false
  if (eligibility[at] === 'near' && nearness !== DETACHED) return true
  if (
    token.gap <= GAP.blank &&
    (nearness === ADJACENT || (nearness === AFTER_FACT && token.word?.isModelWordNextToName))
  )
    return true
  return precedesName
}
