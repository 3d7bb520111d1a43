/** Exact facts of a text: numbers with a unit or a word beside them. The words are data, the grammar is here. */
import lexicon from '../../data/text/lexicon.json' with { type: 'json' }
import { luhnDigit } from '../identifier/check-digit.ts'
import { once } from '../lib/memoize.ts'
import { phraseFinder } from './phrases.ts'
import { isNumber, isWord, type Token, tokenize } from './text-tokens.ts'

/** Places of the first character and behind the last one. */
export type TextRange = { readonly from: number; readonly to: number }

export type NumberFact = TextRange & { readonly value: number }

export type ExactFacts = {
  /** Health of the battery in percent. */
  readonly battery: NumberFact | null
  readonly cycles: NumberFact | null
  /** The seller's points of ten. */
  readonly points: NumberFact | null
  /** IMEIs with the right check digit, both of a phone with two SIM cards. */
  readonly imeis: readonly string[]
  /** Where identifiers stand, with the words before them. */
  readonly identifiers: readonly TextRange[]
}

const MIN_BATTERY_PERCENT = 40
/** Tokens between a percentage and the word for the battery. */
const FAR = 5
/** Tokens between a bare number and the word for the battery. */
const NEAR = 2

const finders = once(() => ({
  battery: phraseFinder(lexicon.battery),
  percent: phraseFinder(lexicon.percent),
  cycles: phraseFinder(lexicon.cycles),
  notPercent: phraseFinder(lexicon.notPercent),
  outOfTen: phraseFinder(lexicon.outOfTen),
  modelNumber: phraseFinder(lexicon.modelNumbers),
  serial: phraseFinder(lexicon.serial),
  barred: phraseFinder(lexicon.barred),
  negation: phraseFinder(lexicon.negations),
}))

export function readFacts(tokens: readonly Token[]): ExactFacts {
  return {
    battery: readBattery(tokens),
    cycles: readCycles(tokens),
    points: readPoints(tokens),
    ...readIdentifiers(tokens),
  }
}

/** Tokens between words and their negation: "never been stolen", "도난폰은 아님". */
const NEGATION_REACH = 3

/** Whether a word that negates stands near the tokens, or at the end of the last one: "파손없음". */
export function isNegated(tokens: readonly Token[], from: number, to: number, reach = NEGATION_REACH): boolean {
  const { negation } = finders()
  for (let at = from - 1; at >= 0 && at >= from - reach && !endsSentence(tokens[at] as Token); at--)
    if (negation(tokens, at) > 0) return true
  for (let at = to; at < tokens.length && at < to + reach && !endsSentence(tokens[at] as Token); at++)
    if (negation(tokens, at) > 0) return true
  return endsWithNegation(tokens[to - 1])
}

const MIN_GLUED_NEGATION = 2

function endsWithNegation(token: Token | undefined): boolean {
  const { negation } = finders()
  const text = token?.text ?? ''
  if (!/\p{Script=Hangul}/u.test(text)) return false
  return Array.from({ length: Math.max(0, text.length - MIN_GLUED_NEGATION) }, (_, at) => text.slice(at + 1)).some(
    (end) => negation(tokenize(end), 0) > 0,
  )
}

export type BarredWords = { readonly stated: TextRange | null; readonly areNegated: boolean }

/**
 * Words that mean stolen, reported or not paid off wherever they stand, unless they are negated: a single word is too little
 * for a network to be sure.
 */
export function findBarredWords(tokens: readonly Token[]): BarredWords {
  const { barred } = finders()
  let areNegated = false
  for (let at = 0; at < tokens.length; at++) {
    const length = barred(tokens, at)
    if (length === 0) continue
    if (!isNegated(tokens, at, at + length))
      return {
        stated: { from: (tokens[at] as Token).from, to: (tokens[at + length - 1] as Token).to },
        areNegated: false,
      }
    areNegated = true
  }
  return { stated: null, areNegated }
}

/** The IMEIs that a text names, as one identifier; null if it names none. */
export const identifierOf = ({ imeis }: Pick<ExactFacts, 'imeis'>): string | null =>
  imeis.length === 2 ? imeis.join(' / ') : (imeis[0] ?? null)
export const identifierIn = (text: string) => identifierOf(readIdentifiers(tokenize(text)))

const endsSentence = ({ text }: Token) =>
  text === '.' || text === '!' || text === '?' || text === ';' || text === '\n' || text === '。' || text === '！'

/** A number is whole if no digits follow behind a dot or comma. */
function isWhole(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]
  const after = tokens[at + 1]
  const isSign = (token: Token | undefined) => token?.text === '.' || token?.text === ','
  const joins = (sign: Token | undefined, far: Token | undefined, isBefore: boolean) =>
    isSign(sign) &&
    far !== undefined &&
    isNumber(far.text) &&
    (isBefore
      ? far.to === sign?.from && sign.to === tokens[at]?.from
      : sign?.to === far.from && sign.from === tokens[at]?.to)
  return !joins(before, tokens[at - 2], true) && !joins(after, tokens[at + 2], false)
}

/** The distance in tokens to the nearest phrase in the same sentence, up to `FAR`. */
function distanceTo(
  find: ReturnType<typeof phraseFinder>,
  tokens: readonly Token[],
  at: number,
): { readonly distance: number; readonly from: number; readonly to: number } | null {
  let best: { distance: number; from: number; to: number } | null = null
  for (let back = at - 1; back >= 0 && back >= at - FAR - 1; back--) {
    if (endsSentence(tokens[back] as Token)) break
    const length = find(tokens, back)
    if (length === 0 || back + length > at) continue
    best = { distance: at - back - length + 1, from: back, to: at }
    break
  }
  for (let next = at + 1; next < tokens.length && next <= at + FAR; next++) {
    if (endsSentence(tokens[next] as Token)) break
    const length = find(tokens, next)
    if (length === 0) continue
    if (!best || next - at < best.distance) best = { distance: next - at, from: at, to: next + length - 1 }
    break
  }
  return best
}

function readBattery(tokens: readonly Token[]): NumberFact | null {
  const { battery, percent, notPercent } = finders()
  let best: (NumberFact & { readonly rank: number }) | null = null
  for (let at = 0; at < tokens.length; at++) {
    const { text } = tokens[at] as Token
    if (!isNumber(text) || text.length < 2 || text.length > 3) continue
    const value = Number(text)
    if (value < MIN_BATTERY_PERCENT || value > 100 || !isWhole(tokens, at)) continue
    const signLength = percent(tokens, at + 1)
    const isPercent = signLength > 0 || percent(tokens, at - 1) > 0
    const word = distanceTo(battery, tokens, at)
    if (!word || (!isPercent && (word.distance > NEAR || notPercent(tokens, at + 1) > 0))) continue
    // "16.5", "7/10" and "A54" are no percentages.
    const before = tokens[at - 1]
    if (!isPercent && before?.to === tokens[at]?.from && (before?.text === '/' || isWord(before?.text ?? ''))) continue
    const rank = (isPercent ? 0 : 10) + word.distance
    const from = tokens[Math.min(at, word.from)] as Token
    const to = tokens[Math.max(at + signLength, word.to)] as Token
    if (!best || rank < best.rank) best = { value, from: from.from, to: to.to, rank }
  }
  return best && { value: best.value, from: best.from, to: best.to }
}

const MAX_CYCLES = 5_000

function readCycles(tokens: readonly Token[]): NumberFact | null {
  const { cycles } = finders()
  for (let at = 0; at < tokens.length; at++) {
    const { text, from, to } = tokens[at] as Token
    if (!isNumber(text) || text.length > 4 || Number(text) > MAX_CYCLES || !isWhole(tokens, at)) continue
    const word = distanceTo(cycles, tokens, at)
    if (!word || word.distance > NEAR) continue
    return {
      value: Number(text),
      from: Math.min(from, (tokens[word.from] as Token).from),
      to: Math.max(to, (tokens[word.to] as Token).to),
    }
  }
  return null
}

/** "8/10", "7 out of 10", "6,5 von 10"; "iPhone 8/10" are two models. */
function readPoints(tokens: readonly Token[]): NumberFact | null {
  const { outOfTen, modelNumber } = finders()
  for (let at = 0; at < tokens.length; at++) {
    const { text, from } = tokens[at] as Token
    const value = Number(text)
    if (!isNumber(text) || text.length > 2 || value > 10 || modelNumber(tokens, at - 1) > 0) continue
    const before = tokens[at - 1]
    if (before && before.to === from && before.text !== '(' && before.text !== ':') continue
    let next = at + 1
    const decimal = tokens[next + 1]
    if (
      (tokens[next]?.text === '.' || tokens[next]?.text === ',') &&
      tokens[next]?.to === decimal?.from &&
      isNumber(decimal?.text ?? '')
    )
      next += 2
    const length = outOfTen(tokens, next)
    const ten = tokens[next + length]
    const after = tokens[next + length + 1]
    if (
      length === 0 ||
      ten?.text !== '10' ||
      (after && after.from === ten.to && (isWord(after.text) || after.text === '/'))
    )
      continue
    return { value, from, to: ten.to }
  }
  return null
}

const IMEI_LENGTH = 15

export function readIdentifiers(tokens: readonly Token[]): Pick<ExactFacts, 'imeis' | 'identifiers'> {
  const { serial } = finders()
  const imeis = new Set<string>()
  const identifiers: TextRange[] = []
  tokens.forEach(({ text, from, to }, at) => {
    if (isNumber(text) && text.length === IMEI_LENGTH) {
      if (luhnDigit(text.slice(0, -1)) === text.at(-1)) imeis.add(text)
      const label = tokens.slice(Math.max(0, at - 3), at).find((token) => token.text === 'imei')
      identifiers.push({ from: label?.from ?? from, to })
    }
    const length = serial(tokens, at)
    if (length === 0) return
    let end = at + length
    while (/^[:#.-]$/.test(tokens[end]?.text ?? '')) end++
    const first = end
    while (
      end < tokens.length &&
      (end === first || tokens[end]?.from === tokens[end - 1]?.to) &&
      /^[\p{L}\d]/u.test(tokens[end]?.text ?? '')
    )
      end++
    const code = tokens
      .slice(first, end)
      .map((token) => token.text)
      .join('')
    if (code.length >= 8 && /\d/.test(code)) identifiers.push({ from, to: (tokens[end - 1] as Token).to })
  })
  return { imeis: [...imeis], identifiers }
}

/** An IMEI or serial number says nothing of the device's state: the words around it are read as if it were not there. */
export const withoutIdentifiers = (tokens: readonly Token[], { identifiers }: Pick<ExactFacts, 'identifiers'>) =>
  tokens.filter(({ from, to }) => !identifiers.some((identifier) => identifier.from < to && identifier.to > from))
