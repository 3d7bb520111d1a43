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
  const ranges: VocabularyRange[] = []
  const addUnlessEmpty = (range: VocabularyRange) => {
    if (range.from < range.to) ranges.push(range)
  }
  let prefix: VocabularyRange = { from: 0, to: vocabulary.ids.length, depth: 0 }
  for (let i = 0; i < word.length && prefix.from < prefix.to; i++) {
    const typedCode = word.charCodeAt(i)
    addUnlessEmpty(narrowByWord(vocabulary, prefix, word, i + 1))
    const nextCode = word.charCodeAt(i + 1)
    if (i + 1 < word.length && nextCode !== typedCode) {
      addUnlessEmpty(
        narrowByWord(
          vocabulary,
          narrowByChar(vocabulary, narrowByChar(vocabulary, prefix, nextCode), typedCode),
          word,
          i + 2,
        ),
      )
    }
    for (let rank = prefix.from; rank < prefix.to; ) {
      const code = charCodeAtRank(vocabulary, rank, prefix.depth)
      const end = lowerBound(vocabulary, { ...prefix, from: rank }, code + 1)
      if (code >= 0 && code !== typedCode) {
        const child = { from: rank, to: end, depth: prefix.depth + 1 }
        addUnlessEmpty(narrowByWord(vocabulary, child, word, i + 1))
        addUnlessEmpty(narrowByWord(vocabulary, child, word, i))
      }
      rank = end
    }
    prefix = narrowByChar(vocabulary, prefix, typedCode)
  }
  return ranges
}
