/** Words nobody knows as they stand: several written together, or one with a typing error. */
import type { Aliases } from './aliases.ts'
import type { Guess, Guesser } from './items.ts'
import type { Lexicon, Role, Word } from './title-lexicon.ts'
import { GAP, type Token, token } from './tokens.ts'

/** Short words are too near each other to forgive an error. */
const LEAST_LETTERS = 5
const MOST_LETTERS = 24
/** What was found out about words is kept, but not without end: callers choose the words. */
const KEPT = 20_000

export function openGuesser(lexicon: Lexicon, beginnings: Aliases['words']['beginnings']): Guesser {
  const begun = beginningsOf(lexicon, beginnings)
  const targets = targetsOf(lexicon)
  let known = new Map<string, Guess | null>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const isShort = text.length <= MOST_LETTERS
    const guess = isShort ? (together(text, lexicon) ?? corrected(text, targets) ?? byBeginning(text, begun)) : null
    if (known.size >= KEPT) known = new Map()
    known.set(text, guess)
    return guess
  }
}

/** "iphonexsmax", "macbookair", "갤럭시버즈": known words that fill the text without a rest. */
function together(text: string, lexicon: Lexicon): Guess | null {
  const isLatin = text.charCodeAt(0) < 0x250
  if (text.length < (isLatin ? 6 : 2)) return null
  const pieces = isLatin ? splitWhole(text, lexicon) : splitGreedy(text, lexicon)
  if (!pieces) return null
  const tokens: Token[] = []
  for (const word of pieces) {
    if (word.rewrite) tokens.push(...word.rewrite.map((piece, at) => (at === 0 ? { ...piece, gap: GAP.blank } : piece)))
    else tokens.push(token(word.text, GAP.blank))
  }
  return { tokens, isMistyped: false }
}

const namesSomething = (word: Word) =>
  word.isModel ||
  word.make !== null ||
  word.line !== null ||
  word.rewrite !== null ||
  (word.scopes !== null && word.text.length > 2)

/** Longest pieces first, from the left; a letter alone may stand at the end, where a number follows ("galaxys 23"). */
function splitWhole(text: string, lexicon: Lexicon): Word[] | null {
  const pieces: Word[] = []
  let hasLongOne = false
  for (let at = 0; at < text.length; ) {
    let found: Word | undefined
    for (let to = text.length; to > at + 1 && !found; to--) {
      if (at === 0 && to === text.length) continue
      const word = lexicon.find(text.slice(at, to))
      if (
        word &&
        !word.isWeakMake &&
        (namesSomething(word) || (at > 0 && word.scopes !== null) || (word.role === 'noise' && word.text.length >= 5))
      )
        found = word
    }
    if (!found && at === text.length - 1 && hasLongOne) found = lexicon.find(text.slice(at))
    if (!found) return null
    hasLongOne ||= found.text.length >= 4 && namesSomething(found)
    pieces.push(found)
    at += found.text.length
  }
  return hasLongOne ? pieces : null
}

/** Korean writes words together with endings nobody needs; what is not known is passed over. */
function splitGreedy(text: string, lexicon: Lexicon): Word[] | null {
  const pieces: Word[] = []
  for (let at = 0; at < text.length; ) {
    let found: Word | undefined
    for (let to = text.length; to > at && !found; to--) {
      const word = lexicon.find(text.slice(at, to))
      if (word && (word.role || word.unit || namesSomething(word))) found = word
    }
    if (found) pieces.push(found)
    at += found ? found.text.length : 1
  }
  return pieces.length > 0 ? pieces : null
}

type Beginnings = { readonly words: ReadonlyMap<string, string>; readonly lengths: readonly number[] }

/** Each beginning stands for a word of its own, which has the role. */
function beginningsOf(lexicon: Lexicon, lists: Aliases['words']['beginnings']): Beginnings {
  const words = new Map<string, string>()
  for (const [role, texts] of Object.entries(lists)) {
    for (const text of texts) {
      const word = lexicon.entry(`${text}…`)
      word.role ??= role as Role
      words.set(text, word.text)
    }
  }
  return { words, lengths: [...new Set([...words.keys()].map((text) => text.length))].sort((a, b) => b - a) }
}

function byBeginning(text: string, { words, lengths }: Beginnings): Guess | null {
  for (const length of lengths) {
    const word = text.length > length ? words.get(text.slice(0, length)) : undefined
    if (word !== undefined) return { tokens: [token(word, GAP.blank)], isMistyped: false }
  }
  return null
}

/** A text with one letter left out → the words it may come from. */
type Targets = { readonly whole: ReadonlySet<string>; readonly shortened: ReadonlyMap<string, readonly string[]> }

function targetsOf(lexicon: Lexicon): Targets {
  const whole = new Set<string>()
  const shortened = new Map<string, string[]>()
  for (const word of lexicon.words()) {
    if (word.text.length < LEAST_LETTERS || !/^[a-z]+$/.test(word.text) || !isTarget(word)) continue
    whole.add(word.text)
    for (const short of shortenings(word.text)) {
      const there = shortened.get(short)
      if (!there) shortened.set(short, [word.text])
      else if (!there.includes(word.text)) there.push(word.text)
    }
  }
  return { whole, shortened }
}

const isTarget = (word: Word) =>
  (word.make !== null && !word.isWeakMake) ||
  word.line !== null ||
  word.isModel ||
  word.isModelBeside ||
  hasTopScope(word)

function hasTopScope(word: Word): boolean {
  if (!word.scopes || word.role) return false
  for (const scope of word.scopes) if (scope.endsWith('/')) return true
  return false
}

function* shortenings(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) yield text.slice(0, at) + text.slice(at + 1)
}

/** The one word that is a single typing error away; where there are two, nobody knows which was meant. */
function corrected(text: string, targets: Targets): Guess | null {
  if (text.length < LEAST_LETTERS) return null
  const found = nearest(text, targets)
  const [only] = found
  return found.size === 1 && only !== undefined ? { tokens: [token(only, GAP.blank)], isMistyped: true } : null
}

function nearest(text: string, { whole, shortened }: Targets): Set<string> {
  const found = new Set<string>()
  if (!/^[a-z]+$/.test(text)) return found
  for (const word of shortened.get(text) ?? []) found.add(word)
  for (const short of shortenings(text)) {
    if (whole.has(short)) found.add(short)
    for (const word of shortened.get(short) ?? []) if (isOneErrorAway(text, word)) found.add(word)
  }
  return found
}

/** One letter wrong, or two neighbours swapped; longer and shorter words were settled before. */
function isOneErrorAway(typed: string, word: string): boolean {
  if (typed.length !== word.length) return false
  let at = 0
  while (at < typed.length && typed[at] === word[at]) at++
  if (typed.slice(at + 1) === word.slice(at + 1)) return true
  return typed[at] === word[at + 1] && typed[at + 1] === word[at] && typed.slice(at + 2) === word.slice(at + 2)
}
