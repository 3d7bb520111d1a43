/** Words of everyday advertisements in 37 languages, learned from texts: they belong to no name and name nothing that is sold. */
import bundledText from '../../../data/aliases/ordinary-words.txt' with { type: 'text' }

export type OrdinaryTexts = {
  readonly words: readonly string[]
  /** Neighbouring letters of scripts without blanks between words. */
  readonly pairs: readonly string[]
}

export type OrdinaryWords = {
  readonly hasWord: (text: string) => boolean
  /** Whether a text of a script without blanks consists of letters that stand together in ordinary texts. */
  readonly isMadeOfPairs: (text: string) => boolean
}

/** Chinese, Japanese and Thai, and Korean, whose words have many endings. */
const WITHOUT_BLANKS = /^[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/
export const isWrittenWithoutBlanks = (text: string): boolean => WITHOUT_BLANKS.test(text)

export const pairsOf = (text: string): string[] =>
  text.length === 1 ? [text] : Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2))

/** The two lists in lines: words by their first letter, an empty line, pairs likewise. */
export const bundledOrdinaryTexts = (): OrdinaryTexts => {
  const [words = '', pairs = ''] = bundledText.split('\n\n')
  return { words: words.split(/\s+/), pairs: pairs.trim().split(/\s+/) }
}

/** Numbers in place of texts take a tenth of the memory; two texts of a million share one. */
export function createOrdinaryWords({ words, pairs }: OrdinaryTexts): OrdinaryWords {
  const hashes = (texts: readonly string[]) => Uint32Array.from(texts, hashOf).sort()
  const [wordHashes, pairHashes] = [hashes(words), hashes(pairs)]
  return {
    hasWord: (text) => includes(wordHashes, hashOf(text)),
    isMadeOfPairs: (text) => pairsOf(text).every((pair) => includes(pairHashes, hashOf(pair))),
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

function includes(sorted: Uint32Array, value: number): boolean {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    const found = sorted[middle] as number
    if (found === value) return true
    if (found < value) from = middle + 1
    else to = middle
  }
  return false
}
