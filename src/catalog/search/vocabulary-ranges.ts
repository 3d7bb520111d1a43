import type { Vocabulary } from './term-table.ts'

/** Ranks `[from, to)` of the vocabulary whose words share their first `depth` characters. */
export type VocabularyRange = { readonly from: number; readonly to: number; readonly depth: number }

const EMPTY_RANGE: VocabularyRange = { from: 0, to: 0, depth: 0 }

function charCodeAtRank(vocabulary: Vocabulary, rank: number, depth: number): number {
  const text = vocabulary.texts[vocabulary.ids[rank] as number] as string
  return depth < text.length ? text.charCodeAt(depth) : -1
}

/** First rank in the range whose character at `range.depth` is at least `code`. */
function lowerBound(vocabulary: Vocabulary, range: VocabularyRange, code: number): number {
  let low = range.from
  let high = range.to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (charCodeAtRank(vocabulary, middle, range.depth) < code) low = middle + 1
    else high = middle
  }
  return low
}

function narrowByChar(vocabulary: Vocabulary, range: VocabularyRange, code: number): VocabularyRange {
  const from = lowerBound(vocabulary, range, code)
  if (from >= range.to || charCodeAtRank(vocabulary, from, range.depth) !== code) return EMPTY_RANGE
  return { from, to: lowerBound(vocabulary, { ...range, from }, code + 1), depth: range.depth + 1 }
}

/** Narrows a range by the characters of `word` from `index` on. */
function narrowByWord(vocabulary: Vocabulary, start: VocabularyRange, word: string, index: number): VocabularyRange {
  let range = start
  for (let i = index; i < word.length && range.from < range.to; i++) {
    range = narrowByChar(vocabulary, range, word.charCodeAt(i))
  }
  return range.from < range.to ? range : EMPTY_RANGE
}

/** Words that begin with `prefix`. */
export function prefixRange(vocabulary: Vocabulary, prefix: string): VocabularyRange {
  return narrowByWord(vocabulary, { from: 0, to: vocabulary.ids.length, depth: 0 }, prefix, 0)
}

/**
 * Words with a prefix one typing error away from `word`: a letter inserted, deleted, substituted, or two swapped.
 * Walks the sorted vocabulary like a trie, so prefixes without words are never tried.
 */
export function oneTypoRanges(vocabulary: Vocabulary, word: string): VocabularyRange[] {
  const found: VocabularyRange[] = []
  const keep = (range: VocabularyRange) => {
    if (range.from < range.to) found.push(range)
  }
  let reached: VocabularyRange = { from: 0, to: vocabulary.ids.length, depth: 0 }
  for (let i = 0; i < word.length && reached.from < reached.to; i++) {
    const typed = word.charCodeAt(i)
    keep(narrowByWord(vocabulary, reached, word, i + 1))
    const next = word.charCodeAt(i + 1)
    if (i + 1 < word.length && next !== typed) {
      keep(
        narrowByWord(vocabulary, narrowByChar(vocabulary, narrowByChar(vocabulary, reached, next), typed), word, i + 2),
      )
    }
    for (let at = reached.from; at < reached.to; ) {
      const code = charCodeAtRank(vocabulary, at, reached.depth)
      const end = lowerBound(vocabulary, { ...reached, from: at }, code + 1)
      if (code >= 0 && code !== typed) {
        const child = { from: at, to: end, depth: reached.depth + 1 }
        keep(narrowByWord(vocabulary, child, word, i + 1))
        keep(narrowByWord(vocabulary, child, word, i))
      }
      at = end
    }
    reached = narrowByChar(vocabulary, reached, typed)
  }
  return found
}
