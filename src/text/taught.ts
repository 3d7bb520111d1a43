/** Words that a shop taught, found in a text at a cost that does not depend on how many there are. */
import type { Condition } from '../contract/condition-grades.ts'
import type { DefectCode } from '../contract/defect-catalogue.ts'
import type { TextRange } from './facts.ts'
import { type Token, tokenize } from './text-tokens.ts'

/** Words of a phrase that are compared; of longer phrases the first ones. */
const MAX_TAUGHT_TOKENS = 5

/** What a phrase means to the shop; neither a grade nor a defect: nothing, so that it needs no attention. */
export type TaughtMeaning = { readonly condition: Condition | null; readonly defect: DefectCode | null }
/** By the words of the phrase, see `taughtKey`. */
export type TaughtPhrases = ReadonlyMap<string, TaughtMeaning>
export type TaughtStatement = TextRange & TaughtMeaning

export const NO_TAUGHT_PHRASES: TaughtPhrases = new Map()

export const taughtKey = (words: string) =>
  tokenize(words)
    .slice(0, MAX_TAUGHT_TOKENS)
    .map(({ text }) => text)
    .join(' ')

/** The longest phrase at each place; phrases do not overlap. */
export function findTaught(tokens: readonly Token[], phrases: TaughtPhrases): TaughtStatement[] {
  const found: TaughtStatement[] = []
  if (phrases.size === 0) return found
  for (let at = 0; at < tokens.length; at++) {
    for (let length = Math.min(MAX_TAUGHT_TOKENS, tokens.length - at); length > 0; length--) {
      const words = tokens.slice(at, at + length)
      const meaning = phrases.get(words.map(({ text }) => text).join(' '))
      if (!meaning) continue
      found.push({ ...meaning, from: (words[0] as Token).from, to: (words.at(-1) as Token).to })
      at += length - 1
      break
    }
  }
  return found
}
