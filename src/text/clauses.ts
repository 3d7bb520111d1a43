/** Clauses: the stretches of a text that state one thing. */
import { isNumber, isSyllable, isWord, type Token } from './text-tokens.ts'

/** Places of the first token and behind the last one. */
export type Clause = { readonly from: number; readonly to: number }

const MAX_WORDS = 13
const MAX_SYLLABLES = 24

/** A dot or comma between digits belongs to a number; a dash or an apostrophe between letters to a word. */
function isBreak(tokens: readonly Token[], at: number): boolean {
  const { text, from, to } = tokens[at] as Token
  if (isWord(text) || isNumber(text)) return false
  const before = tokens[at - 1]
  const after = tokens[at + 1]
  const isGlued = before?.to === from && after?.from === to
  switch (text) {
    case '.':
    case ',':
      return !(isGlued && isNumber((before as Token).text) && isNumber((after as Token).text))
    case '-':
    case '/':
    case '+':
    case "'":
    case '&':
    case ':':
      return !isGlued && text !== "'" && text !== '&' && text !== '+'
    case '%':
    case '"':
    case '°':
    case '#':
    case '$':
    case '€':
    case '£':
      return false
    default:
      return true
  }
}

/** Clauses between punctuation, symbols and line breaks; long ones are cut. Every token belongs to one clause. */
export function findClauses(tokens: readonly Token[]): Clause[] {
  const clauses: Clause[] = []
  let from = 0
  let words = 0
  let syllables = 0
  for (let at = 0; at < tokens.length; at++) {
    const { text } = tokens[at] as Token
    if (isSyllable(text)) syllables++
    else if (isWord(text) || isNumber(text)) words++
    const isFull = words >= MAX_WORDS || syllables >= MAX_SYLLABLES
    if (!isFull && !isBreak(tokens, at)) continue
    if (words + syllables === 0) continue
    clauses.push({ from, to: at + 1 })
    from = at + 1
    words = 0
    syllables = 0
  }
  if (words + syllables > 0 || clauses.length === 0) clauses.push({ from, to: tokens.length })
  else clauses[clauses.length - 1] = { from: (clauses.at(-1) as Clause).from, to: tokens.length }
  return clauses
}

/** In a shorter text sellers leave out signs; in a longer one a stretch without them is a data sheet or a list of features. */
const LONG_TEXT_CHARS = 400

const isSign = ({ text }: Token) => !isWord(text) && !isNumber(text)

/** Whether a clause of a long text begins or ends within a stretch of words without a sign. */
export function isRunOn(tokens: readonly Token[], { from, to }: Clause): boolean {
  const isCut = (at: number) => at > 0 && at < tokens.length && !isSign(tokens[at - 1] as Token)
  return (tokens.at(-1)?.to ?? 0) > LONG_TEXT_CHARS && (isCut(from) || isCut(to))
}
