/** Names of devices without words beside a fault that no list has: "Canon EOS R5 hot shoe damaged". */
import { foldText } from '../lib/fold-text.ts'
import { isModelWord, isNameWord, isPhrase, isUnknownWord } from './description-lexicon.ts'

export type TextRange = { readonly from: number; readonly to: number }

/** `unread`: the left-out words together with the fault, as ranges of the text. */
export type ShortenedName = {
  readonly name: string
  readonly unread: readonly TextRange[]
  readonly isTail?: boolean
}

const MAX_LEFT_OUT = 4
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu

export const tidyName = (text: string) =>
  text
    .replace(/\(\s*\)/g, ' ')
    .replace(/\s*[,;|+&/](?=\s*(?:[,;|+&/]|$))/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,.;:|+&/!-]+|[\s,.;:|+&/!-]+$/g, '')

/**
 * The name with up to four words left out on both sides of each fault, fewest first. `rest` is the text in which blanks replace
 * what was read. Numbers and words of names stay, and what a comma separates.
 */
export function shortenNames(rest: string, faults: readonly TextRange[]): ShortenedName[] {
  const words = [...rest.matchAll(WORD)].map(({ 0: word, index }) => ({ word, from: index, to: index + word.length }))
  const result: ShortenedName[] = []
  for (let count = 1; count <= MAX_LEFT_OUT; count++) {
    const unread = faults.map((fault) => widen(fault, count)).filter((range, at) => isWider(range, faults[at]))
    const name = tidyName(unread.reduce(blankOut, rest))
    if (unread.length > 0 && name !== '' && name !== (result.at(-1)?.name ?? '')) result.push({ name, unread })
  }
  const phrase = result.length === 0 ? tailOf(words, rest) : null
  const tail = phrase ?? (faults.length > 0 ? clausesBehind(words, rest) : null)
  const name = tail ? tidyName(blankOut(rest, tail)) : ''
  return tail && name !== '' ? [...result, { name, unread: [tail], isTail: true }] : result

  function widen(fault: TextRange, count: number): TextRange {
    let { from, to } = fault
    for (let left = 0; left < count; left++) {
      const before = words.findLast((word) => word.to <= from)
      if (!before || !isBesideFault(before.word, rest.slice(before.to, from))) break
      from = before.from
    }
    for (let left = 0; left < count; left++) {
      const after = words.find((word) => word.from >= to)
      if (!after || !isBesideFault(after.word, rest.slice(to, after.from))) break
      to = after.to
    }
    return { from, to }
  }
}

/** The words behind the name, if they are a phrase rather than the rest of a name: "golpe en la esquina". */
function tailOf(words: readonly (TextRange & { readonly word: string })[], rest: string): TextRange | null {
  let first = words.length
  while (first > 0 && isOfPhrase(words, first - 1, rest)) first--
  const tail = words.slice(first)
  const [start] = tail
  return start && isPhrase(tail.map(({ word }) => word)) ? { from: start.from, to: rest.trimEnd().length } : null
}

/** What follows the first comma or the first unknown word behind the name of a device with faults: "tombé, mais vibre". */
function clausesBehind(words: readonly (TextRange & { readonly word: string })[], rest: string): TextRange | null {
  const first = words.findIndex(({ word, from }, at) => {
    const before = words[at - 1]
    return before && (isUnknownWord(foldText(word)) || /[,;|]/.test(rest.slice(before.to, from)))
  })
  const tail = first < 0 ? [] : words.slice(first)
  const [start] = tail
  if (!start || tail.some(({ word }) => /\p{N}/u.test(word) || isModelWord(word))) return null
  return { from: start.from, to: rest.trimEnd().length }
}

function isOfPhrase(words: readonly (TextRange & { readonly word: string })[], at: number, rest: string): boolean {
  const { word, to } = words[at] as TextRange & { readonly word: string }
  return !/\p{N}/u.test(word) && !isModelWord(word) && !/[^\s'"’\-–]/.test(rest.slice(to, words[at + 1]?.from ?? to))
}

const isBesideFault = (word: string, between: string) =>
  !/\p{N}/u.test(word) && !isNameWord(word) && !/[^\s'"’\-–]/.test(between)

const isWider = (range: TextRange, fault: TextRange | undefined) =>
  fault !== undefined && (range.from < fault.from || range.to > fault.to)

const blankOut = (text: string, { from, to }: TextRange) => text.slice(0, from) + ' '.repeat(to - from) + text.slice(to)
