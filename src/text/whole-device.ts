/**
 * Grammar that holds whatever the words: "iPhone 12 64GB defekt" says of the whole device that it does not work, and "not locked
 * to AT&T" that a lock is not there. A network needs far more examples of either than of a part that is broken.
 */

import grades from '../../data/aliases/grade-words.json' with { type: 'json' }
import makes from '../../data/aliases/makes.json' with { type: 'json' }
import models from '../../data/aliases/models.json' with { type: 'json' }
import words from '../../data/aliases/words.json' with { type: 'json' }
import lexicon from '../../data/text/lexicon.json' with { type: 'json' }
import { once } from '../lib/memoize.ts'
import type { Clause } from './clauses.ts'
import type { TextRange } from './facts.ts'
import { type PhraseFinder, phraseFinder } from './phrases.ts'
import { isNumber, isWord, type Token } from './text-tokens.ts'

const finders = once(() => {
  const names = [...Object.values(makes.spellings).flat(), ...Object.values(models.lines).flat()]
  return {
    notWorking: phraseFinder([
      ...lexicon.notWorking,
      ...Object.values(grades).flatMap((classes) => ('dead' in classes ? classes.dead : [])),
    ]),
    name: phraseFinder([
      ...Object.keys(makes.spellings),
      ...[...names, ...models.modelWords, ...models.adjacentWords].flatMap((name) => [name, ...name.split(' ')]),
    ]),
    beside: phraseFinder([
      ...[...lexicon.modelNumbers, ...lexicon.gigabytes, ...lexicon.terabytes, ...lexicon.memory],
      ...Object.values(words.colors).flat(),
    ]),
    negation: phraseFinder(lexicon.negations),
    lock: phraseFinder(lexicon.locks),
    kindOfLock: phraseFinder(lexicon.lockKinds),
    damage: phraseFinder(lexicon.damage),
    never: phraseFinder(lexicon.never),
  }
})

/**
 * Words for a device that does not work, behind its name ("PS5 (broken)"), before it ("Defektes iPhone 12") or alone in a line;
 * null if what is broken may be a part of it.
 */
export function findNotWorking(tokens: readonly Token[]): TextRange | null {
  for (let line = 0; line < tokens.length; line = endOfLine(tokens, line) + 1) {
    const name = skipName(tokens, line)
    const end = skip(tokens, name.end, finders().notWorking)
    const isBehindName = name.isNamed || (tokens[name.end - 1]?.text ?? '\n') === '\n'
    if (
      end > name.end &&
      isBehindName &&
      endsStatement(tokens, end) &&
      (name.isNamed || isLineAlone(tokens, line, end))
    )
      return rangeOf(tokens, name.end, end)
    const nameBehind = skipName(tokens, end)
    if (end > name.end && !name.isNamed && nameBehind.isNamed && endsStatement(tokens, nameBehind.end))
      return rangeOf(tokens, name.end, end)
  }
  return null
}

/** Whether all damage that the words name is denied: "no cracked screen", "without water damage". */
export function deniesDamage(tokens: readonly Token[], words: TextRange): boolean {
  const { negation, damage } = finders()
  const named = tokens.flatMap(({ from }, at) => {
    const to = tokens[at + damage(tokens, at) - 1]?.to ?? from
    return damage(tokens, at) > 0 && from < words.to && to > words.from ? [at] : []
  })
  return named.length > 0 && named.every((at) => at > 0 && negation(tokens, at - 1) === 1)
}

/** "never repaired" */
export const saysNever = (tokens: readonly Token[], words: TextRange): boolean =>
  tokens.some(({ from }, at) => from >= words.from && from < words.to && finders().never(tokens, at) > 0)

/** Whether the clause denies that the device is locked: "not locked to AT&T", "kein Simlock", 락 없음. */
export function deniesLock(tokens: readonly Token[], { from, to }: Clause): boolean {
  const { negation, lock, kindOfLock } = finders()
  for (let at = from; at < to; at++) {
    const length = lock(tokens, at)
    if (length === 0) continue
    // "iCloud lock not removed" denies nothing.
    const behind = skip(tokens, at + length, negation)
    if (behind > at + length && behind <= to && endsStatement(tokens, behind)) return true
    for (let before = at - 1; before >= from; before--) {
      if (negation(tokens, before) > 0) return true
      if (kindOfLock(tokens, before) === 0 && lock(tokens, before) === 0) break
    }
  }
  return false
}

function endOfLine(tokens: readonly Token[], from: number): number {
  let at = from
  while (at < tokens.length && tokens[at]?.text !== '\n') at++
  return at
}

/** Behind all that belongs to a name from there on: makes, models, numbers, sizes, colours and the signs between. */
function skipName(tokens: readonly Token[], from: number): { readonly end: number; readonly isNamed: boolean } {
  const { name, beside, notWorking } = finders()
  let isNamed = false
  let at = from
  while (at < tokens.length) {
    const token = tokens[at] as Token
    const length = name(tokens, at)
    if (notWorking(tokens, at) > 0 || token.text === '\n') break
    if (length > 0 || isCode(tokens, at)) isNamed = true
    else if (isWord(token.text) && beside(tokens, at) === 0 && !isOfCode(tokens, at)) break
    at += Math.max(1, length, beside(tokens, at))
  }
  return { end: at, isNamed }
}

/** The letters of "PS5" and "G991". */
function isCode(tokens: readonly Token[], at: number): boolean {
  const [token, after] = [tokens[at], tokens[at + 1]]
  return isWord(token?.text ?? '') && after?.from === token?.to && isNumber(after?.text ?? '')
}

/** The X of "Series X" and the B of "G991B". */
function isOfCode(tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]]
  return token?.text.length === 1 || (before?.to === token?.from && isNumber(before?.text ?? ''))
}

function skip(tokens: readonly Token[], from: number, find: PhraseFinder): number {
  let at = from
  for (let length = find(tokens, at); length > 0; length = find(tokens, at)) at += length
  return at
}

/** At the end of the text or before a sign, but no question. */
function endsStatement(tokens: readonly Token[], at: number): boolean {
  const text = tokens[at]?.text
  return text === undefined || !(isWord(text) || isNumber(text) || text === '?' || text === '？' || text === ':')
}

/** Nothing else stands in the line, and the line before does not lead to it. */
function isLineAlone(tokens: readonly Token[], line: number, end: number): boolean {
  const isEmpty = tokens.slice(end, endOfLine(tokens, end)).every(({ text }) => !isWord(text) && !isNumber(text))
  return isEmpty && tokens[line - 2]?.text !== ':'
}

const rangeOf = (tokens: readonly Token[], from: number, to: number): TextRange => ({
  from: tokens[from]?.from ?? 0,
  to: tokens[to - 1]?.to ?? 0,
})
