/**
 * Graphics cards are sold by a dozen board makers, each with its own marketing words ("EVGA RTX 3080 FTW3 Ultra"), and titles
 * of laptops and gaming PCs name their card too. A title is about the card itself if it contains no feature of a computer
 * and no word that board makers do not use.
 */

import { titleMakeKey } from './alias-lexicon.ts'
import { GAP, type Token } from './tokens.ts'

/** First word of card names, with the make of the chip. */
const MAKE_BY_CHIP_WORD: ReadonlyMap<string, 'nvidia' | 'amd'> = new Map([
  ['geforce', 'nvidia'],
  ['rtx', 'nvidia'],
  ['gtx', 'nvidia'],
  ['radeon', 'amd'],
  ['rx', 'amd'],
])
const CARD_NUMBER = /^\d{3,4}$/
/** Words after the number that are part of the name. */
const SUFFIXES = new Set(['ti', 'super', 'xt', 'xtx', 'gre', 'vega'])
/** Cooler names followed by a number: "MERC 319". */
const NUMBERED_COOLERS = new Set(['merc', 'qick', 'swft'])
/** Words that only occur in titles of computers. */
const COMPUTER_WORDS = new Set('pc pcs ram ssd hdd nvme cpu rig build tower mobile workstation'.split(' '))
/** Largest memory of a card; computers have more storage than this. */
const MAX_CARD_GB = 48
/** Below this, a number with "G" is a network generation. */
const MIN_CARD_G = 6

export type CardWords = {
  /** Board makers. */
  readonly makers: ReadonlySet<string>
  /** Their words for coolers, editions and clock speeds, and generic words for cards. */
  readonly words: ReadonlySet<string>
}

export function createCardWords(makers: readonly string[], words: readonly string[]): CardWords {
  return { makers: new Set(makers.map(titleMakeKey)), words: new Set(words) }
}

/**
 * The make of the chip if the title is about a card, otherwise null. Marketing words of the board maker are consumed,
 * because they do not distinguish models.
 */
export function findGraphicsCardMake(
  tokens: readonly Token[],
  givenMake: string | null,
  cardWords: CardWords,
): 'nvidia' | 'amd' | null {
  let make: 'nvidia' | 'amd' | null = null
  let numberPosition = -1
  for (let at = 0; at < tokens.length; at++) {
    const chipMake = MAKE_BY_CHIP_WORD.get((tokens[at] as Token).text)
    if (chipMake === undefined) continue
    if (make !== null && make !== chipMake) return null
    make = chipMake
    const next = tokens[at + 1]
    if (numberPosition < 0 && next?.isNumber && next.gap <= GAP.blank && CARD_NUMBER.test(next.text))
      numberPosition = at + 1
  }
  if (make === null || numberPosition < 0) return null
  if (givenMake !== null && givenMake !== make && !cardWords.makers.has(givenMake)) return null
  const marketingTokens: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token
    const kind = classifyToken(tokens, at, numberPosition, make, cardWords)
    if (kind === 'computer') return null
    if (kind === 'marketing') marketingTokens.push(token)
  }
  for (const token of marketingTokens) token.isConsumed = true
  return make
}

function classifyToken(
  tokens: readonly Token[],
  at: number,
  numberPosition: number,
  make: string,
  { makers, words }: CardWords,
): 'name' | 'marketing' | 'neutral' | 'computer' {
  const token = tokens[at] as Token
  const { word, text } = token
  if (at === numberPosition || MAKE_BY_CHIP_WORD.has(text)) return 'name'
  if (token.isSymbol) return text === '"' ? 'computer' : 'neutral'
  if (COMPUTER_WORDS.has(text)) return 'computer'
  if (token.isNumber) return classifyNumber(tokens, at, words)
  if (at > numberPosition && SUFFIXES.has(text)) return 'name'
  // "RTX 3060M", "RX 6700S": laptop chips.
  if (at === numberPosition + 1 && text.length === 1 && token.gap <= GAP.blank) return 'computer'
  if (word?.make === make) return 'neutral'
  if (words.has(text) || (word?.make && makers.has(word.make))) return 'marketing'
  if (word?.make) return 'computer'
  if (word?.unit === 'gb' || word?.unit === 'network' || word?.unit === 'count') return 'neutral'
  if (word?.role === 'category') return word.value === 'graphics' ? 'neutral' : 'computer'
  if (word === null && followsMemory(tokens, at) && beginsWithCard(tokens, { makers, words })) return 'neutral'
  if (word === null || token.line !== null || word.isModelWord || word.precedesVersion || word.unit) return 'computer'
  return 'neutral'
}

/** "Palit RTX 2070 8GB po kopalni": what follows the memory describes the card; computers state their own memory, too. */
const followsMemory = (tokens: readonly Token[], at: number) =>
  tokens.slice(0, at).some(({ word }) => word?.unit === 'gb' || word?.unit === 'network')

function beginsWithCard([first]: readonly Token[], { makers, words }: CardWords): boolean {
  if (!first) return false
  const { text, word } = first
  return MAKE_BY_CHIP_WORD.has(text) || words.has(text) || (word?.make != null && makers.has(word.make))
}

/** "warranty until 2026". */
const isYear = (text: string) => /^20[0-3]\d$/.test(text)

/** Memory amounts and numbers in marketing words ("FTW3", "2X") belong to a card; any other number to a computer. */
function classifyNumber(
  tokens: readonly Token[],
  at: number,
  words: ReadonlySet<string>,
): 'marketing' | 'neutral' | 'computer' {
  const token = tokens[at] as Token
  const before = tokens[at - 1]
  const next = tokens[at + 1]
  // "12G" is memory; "5G" is a network.
  const isMemory = next?.word?.unit === 'gb' || (next?.word?.unit === 'network' && Number(token.text) >= MIN_CARD_G)
  if (isYear(token.text)) return 'neutral'
  if (isMemory) return Number(token.text) <= MAX_CARD_GB ? 'neutral' : 'computer'
  if (before && (NUMBERED_COOLERS.has(before.text) || (token.gap === GAP.none && words.has(before.text))))
    return 'marketing'
  if (next !== undefined && next.gap <= GAP.blank && words.has(next.text) && Number(token.text) <= 3) return 'marketing'
  return 'computer'
}
