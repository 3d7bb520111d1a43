/** Finds phrases of a list in tokens. A star at the end stands for any ending of the word. */
import { isSyllable, type Token, tokenize } from './text-tokens.ts'

type Phrase = { readonly tokens: readonly string[]; readonly isStem: boolean }

/** How many tokens the longest phrase at a place has; 0 if there is none. */
export type PhraseFinder = (tokens: readonly Token[], at: number) => number

const STEM_LENGTH = 2

export function phraseFinder(phrases: readonly string[]): PhraseFinder {
  const byStart = new Map<string, Phrase[]>()
  for (const phrase of phrases) {
    const isStem = phrase.endsWith('*')
    const tokens = tokenize(isStem ? phrase.slice(0, -1) : phrase).map(({ text }) => text)
    const [first] = tokens
    if (first === undefined) continue
    const key = first.slice(0, STEM_LENGTH)
    byStart.set(key, [...(byStart.get(key) ?? []), { tokens, isStem }])
  }
  for (const list of byStart.values()) list.sort((a, b) => b.tokens.length - a.tokens.length)
  return (tokens, at) => {
    const first = tokens[at]?.text ?? ''
    return byStart.get(first.slice(0, STEM_LENGTH))?.find((phrase) => isAt(tokens, at, phrase))?.tokens.length ?? 0
  }
}

function isAt(tokens: readonly Token[], at: number, { tokens: words, isStem }: Phrase): boolean {
  return words.every((word, index) => {
    const text = tokens[at + index]?.text
    if (text === undefined) return false
    const isLast = index === words.length - 1
    return isLast && isStem && !isSyllable(word) ? text.startsWith(word) : text === word
  })
}
