/**
 * Consumes words that a title negates or wants in exchange: "not Pro", "(not mini)", "no 5G", "ohne Defekte", 프로 아님,
 * "swap for Galaxy S23".
 */
import type { WordRole } from './title-lexicon.ts'
import { GAP, type Token } from './tokens.ts'

/** Words between the negation and the negated word: "not the Pro", "no es Pro". */
const MAX_FILLER_WORDS = 2
const MAX_FILLER_LETTERS = 4

/** Roles that can be negated: "no cracks", "no dock", "no fake". */
const NEGATABLE_ROLES = new Set<WordRole | null>([
  'for_parts',
  'condition',
  'connectivity',
  'accessory',
  'lock',
  'replica',
])

const NEGATABLE_NOUNS = new Set<WordRole | null>([...NEGATABLE_ROLES, 'box', 'weak_box', 'part', 'weak_part'])

/** Returns whether the title says that the device has no 5G. */
export function consumeNegated(tokens: readonly Token[]): boolean {
  let hasName = false
  let isFiveGDenied = false
  let isExchange = false
  for (let at = 0; at < tokens.length; at++) {
    const { word, line } = tokens[at] as Token
    if (word === null) continue
    // Lithuanian "nėra" (there is no) and Italian "nera" (black) are folded to the same word.
    if (word.negates === 'next' && word.role === 'color') {
      if (NEGATABLE_NOUNS.has(tokens[at + 1]?.word?.role ?? null)) {
        deny(tokens[at] as Token)
        deny(tokens[at + 1] as Token)
      } else if (at === tokens.length - 1 && NEGATABLE_NOUNS.has(tokens[at - 1]?.word?.role ?? null)) {
        deny(tokens[at] as Token)
        deny(tokens[at - 1] as Token)
      }
    } else if (word.negates === 'next') isFiveGDenied = consumeNext(tokens, at, hasName) || isFiveGDenied
    else if (word.negates === 'previous') consumePrevious(tokens, at)
    else if ((word.introducesExchange || (isExchange && word.followsExchangeVerb)) && hasName)
      consumeExchange(tokens, at)
    isExchange ||= word.isExchangeVerb
    hasName ||= line !== null || word.make !== null
  }
  return isFiveGDenied
}

function consumeNext(tokens: readonly Token[], from: number, hasName: boolean): boolean {
  let at = from + 1
  for (let fillers = 0; fillers < MAX_FILLER_WORDS && isFiller(tokens[at]); fillers++) at++
  const negated = tokens[at]
  if (!negated || negated.gap > GAP.blank) return false
  const next = tokens[at + 1]
  if (NEGATABLE_ROLES.has(negated.word?.role ?? null)) deny(negated)
  else if (negated.text === '5' && next?.word?.unit === 'network' && next.gap === GAP.none) {
    deny(negated)
    deny(next)
    return true
  }
  // "bez Google": without the services of another make.
  else if (hasName && negated.word?.make) deny(negated)
  // "Not Pro iPhone 13": a line word begins the name of the device itself, unless the name came before.
  else if (negated.line === null || hasName) denyModel(tokens, at)
  return false
}

/**
 * "Garmin nie, Apple Watch Ultra 2", "Oculus … no, vendo PS Vita": a device that is named only to deny it. Consumes it and tells
 * whether there was one.
 */
export function consumeDeniedBeginning(tokens: readonly Token[]): boolean {
  const isName = ({ word, line }: Token) => line !== null || (word !== null && word.make !== null)
  for (let at = 1; at < tokens.length - 1; at++) {
    const { word, gap } = tokens[at] as Token
    if (word?.negates == null) continue
    const isApart = gap >= GAP.list || (tokens[at + 1] as Token).gap >= GAP.list || word.negates === 'previous'
    if (!isApart || !tokens.slice(0, at).some(isName) || !tokens.slice(at + 1).some(isName)) continue
    for (const token of tokens.slice(0, at)) deny(token)
    return true
  }
  return false
}

function denyModel(tokens: readonly Token[], from: number): void {
  let to = from
  let deniesModel = false
  for (; to < tokens.length; to++) {
    const token = tokens[to] as Token
    if (to > from && (token.gap > GAP.blank || token.line !== null)) break
    const isModel = token.word?.isModelWord === true || token.line !== null
    const isRest = token.text.length <= 2 && (token.isNumber || token.gap === GAP.none) && !isCounted(tokens, to)
    if (!isModel && !isRest) break
    // "not 7a": a number with a letter is a model too.
    deniesModel ||= isModel || (to === from + 1 && token.gap === GAP.none && tokens[from]?.isNumber === true)
  }
  if (deniesModel) for (const token of tokens.slice(from, to)) deny(token)
}

function consumePrevious(tokens: readonly Token[], from: number): void {
  const last = tokens[from - 1]
  if (last && NEGATABLE_ROLES.has(last.word?.role ?? null)) deny(last)
  for (let at = from - 1; at >= 0; at--) {
    const token = tokens[at] as Token
    if (token.word?.isModelWord !== true || token.line !== null || tokens[at + 1]?.gap === GAP.list) return
    deny(token)
  }
}

const MAX_WORDS_BEFORE_EXCHANGE = 3

/** Consumes everything from the first name after the exchange word. */
function consumeExchange(tokens: readonly Token[], from: number): void {
  const near = tokens.slice(from + 1, from + 2 + MAX_WORDS_BEFORE_EXCHANGE)
  const first = near.findIndex(
    ({ word, line, isNumber }, at) =>
      line !== null || (word !== null && word.make !== null) || (isNumber && !isCounted(near, at)),
  )
  if (first >= 0) for (const token of tokens.slice(from + 1 + first)) deny(token)
}

const isFiller = (token: Token | undefined) =>
  token !== undefined &&
  token.gap <= GAP.blank &&
  !token.isNumber &&
  !token.isSymbol &&
  token.text.length <= MAX_FILLER_LETTERS &&
  !token.word?.isModelWord &&
  token.line === null &&
  !NEGATABLE_ROLES.has(token.word?.role ?? null)

/** A unit follows the number, so it is not a model number. */
const isCounted = (tokens: readonly Token[], at: number) => (tokens[at + 1]?.word?.unit ?? null) !== null

function deny(token: Token): void {
  token.isConsumed = true
  token.word = null
  token.line = null
}
