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
const ADJACENT = 2

export function findNameParts(tokens: readonly Token[], context: NameContext): NameParts {
  const lines = findTitleLines(tokens, context)
  const standings: NameEligibility[] = []
  for (const token of tokens) standings.push(nameEligibility(token, lines))
  const list: NamePart[] = []
  const loose: NamePart[] = []
  const unknown: string[] = []
  let isMistyped = false
  let hasNumber = context.hasCode
  let near: number = context.isMakeGiven ? ADJACENT : DETACHED
  let at = 0
  const claim = (token: Token, isOptional: boolean, text = token.text, isDoubtful = false) => {
    const before = list.at(-1)
    list.push({
      text,
      position: at,
      isOptional,
      isDoubtful,
      isNumber: token.isNumber,
      isLine: lines.names.includes(token.text),
      isJoined:
        before !== undefined &&
        before.position === at - 1 &&
        token.gap <= GAP.joint &&
        (token.isNumber ? before.text.length <= 2 && !before.isNumber : text.length <= 2 && before.isNumber),
    })
    isMistyped ||= token.isMistyped
    hasNumber ||= token.isNumber
    near = ADJACENT
  }
  for (; at < tokens.length; at++) {
    const token = tokens[at] as Token
    const { word } = token
    const standing = standings[at] as NameEligibility
    // A name may continue after the network: "One 5G Ace".
    if (token.isConsumed) near = near === DETACHED || isNetwork(tokens, at) ? near : AFTER_ATTRIBUTE
    else if (word?.make && word.make === context.make && standing !== 'always') near = ADJACENT
    else if (token.isSymbol) {
      if (isPlus(tokens, at) && list.at(-1)?.position === at - 1) {
        // "7+ Plus" states it twice.
        if (tokens[at + 1]?.text !== 'plus' && list.at(-1)?.text !== 'plus') claim(token, false, 'plus')
      } else if (token.text !== '%') near = DETACHED
    } else if (token.isNumber) {
      const isTied = token.gap === GAP.none && list.at(-1)?.position === at - 1
      const isRest = token.gap === GAP.none && loose.at(-1)?.position === at - 1
      const isElse = isRest || (hasNumber && isUnrelatedNumber(tokens, at, near, context))
      if (isTied || (!isElse && belongsToName(tokens, at, standings, near))) claim(token, false)
      else {
        loose.push(detachedPart(token, at, false))
        near = DETACHED
      }
    } else if (isLetterJoinedToNumber(tokens, at)) {
      // Letters after a skipped number are skipped too, and "(#K218)" after the name is the seller's reference.
      if (loose.at(-1)?.position === at - 1 && token.gap === GAP.none) near = DETACHED
      else if (near !== ADJACENT && hasNumber && isSellerMark(tokens, at, context)) {
        near = DETACHED
        loose.push(detachedPart(token, at, true))
      } else claim(token, false)
    } else if (standing === 'always') {
      const use = modifierUse(tokens, at, context.modifiers)
      if (use === 'name' || near === ADJACENT) claim(token, false, token.text, use === 'doubtful')
      else near = DETACHED
    } else if (near === ADJACENT && isArticleWithoutNoun(tokens, at)) claim(token, false)
    else if (near === ADJACENT && isColorPartOfName(token, lines, context.make)) {
      claim(token, word?.scopes?.has(`${context.make}:color`) === true, word?.firstWord?.text)
    } else if (
      (standing === 'own' || standing === 'beside' || token.text.length === 1) &&
      continuesName(tokens, at, standings, near, list.at(-1), context)
    ) {
      claim(token, (word?.isOptional === true || word?.role === 'color') && !isLineWord(token, lines))
    } else if (word?.isOptional && !word.introducesExtras && word.role !== 'condition') {
      if (near === ADJACENT || isNextToName(tokens, at, standings)) claim(token, true)
    } else if (isUnknown(word) && !(word?.isOptional && word.introducesExtras)) {
      const isOneWord = token.gap === GAP.none && list.at(-1)?.position === at - 1
      if (
        isOneWord ||
        (near === ADJACENT && isUnknownCode(tokens, at)) ||
        (near === ADJACENT && token.gap <= GAP.blank && isUncommonWord(token))
      )
        claim(token, false)
      else {
        unknown.push(token.text)
        near = DETACHED
      }
    } else if (
      token.gap === GAP.none &&
      word?.role === 'noise' &&
      list.at(-1)?.position === at - 1 &&
      list.at(-1)?.isNumber
    )
      claim(token, false)
    // "Tab A with S Pen": what follows may still be the name.
    else if (word?.isOptional && word.introducesExtras && near === ADJACENT) continue
    else near = isAttribute(word) && near !== DETACHED ? AFTER_ATTRIBUTE : DETACHED
  }
  return { parts: list, detachedParts: loose, unknownWords: unknown, isMistyped }
}

/** A part away from the name. */
export const detachedPart = (
  { text, isNumber }: Pick<Token, 'text' | 'isNumber'>,
  position: number,
  isOptional: boolean,
): NamePart => ({ text, position, isOptional, isDoubtful: false, isNumber, isLine: false, isJoined: false })

/** "128GB mini scratches", "64GB plus charger": the word describes what follows. Next to a name some of them are doubtful. */
function modifierUse(tokens: readonly Token[], at: number, modifiers: ModifierRules): 'name' | 'doubtful' | 'modifier' {
  const rule = modifiers.get((tokens[at] as Token).text)
  const next = tokens[at + 1]
  // "max. očuvan": only words that are never doubtful are abbreviated.
  if (!rule || !next || next.gap > (rule.isDoubtfulNextToName ? GAP.blank : GAP.other)) return 'name'
  if (!rule.nouns.has(next.text) && !rule.roles.has(next.word?.role ?? '')) return 'name'
  return rule.isDoubtfulNextToName ? 'doubtful' : 'modifier'
}

/** The "LE" of "S20 LE 128GB" belongs to the model: an article would be followed by its noun. */
function isArticleWithoutNoun(tokens: readonly Token[], at: number): boolean {
  const { word, gap } = tokens[at] as Token
  if (!word?.isArticle || gap > GAP.blank) return false
  const next = tokens[at + 1]
  return next === undefined || next.isConsumed || next.isSymbol || next.gap > GAP.blank || isAttribute(next.word)
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
  const isNext = isNextToName(tokens, at, eligibility)
  if (token.text.length === 1 && (token.word?.role || token.word?.introducesExtras)) {
    if (nearness !== ADJACENT && eligibility[at] === 'never') return false
    const next = tokens[at + 1]
    if (isNext && next?.isNumber) return isPair(token.text + next.text) || before?.isNumber !== true
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
  if (eligibility[at] === 'own' && nearness !== DETACHED) return true
  return (nearness === ADJACENT && token.gap <= GAP.blank) || isNext
}
