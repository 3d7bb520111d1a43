import type { Vocabulary } from './lexicon.ts'

/** Neighbouring places `[from, to)` of the vocabulary whose words all begin with the same `depth` characters. */
export type Range = { readonly from: number; readonly to: number; readonly depth: number }

const NOWHERE: Range = { from: 0, to: 0, depth: 0 }

function codeAt(vocabulary: Vocabulary, rank: number, depth: number): number {
  const text = vocabulary.texts[vocabulary.ids[rank] as number] as string
  return depth < text.length ? text.charCodeAt(depth) : -1
}

/** First place in the range whose character at `range.depth` is at least `code`. */
function lowerBound(vocabulary: Vocabulary, range: Range, code: number): number {
  let low = range.from
  let high = range.to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (codeAt(vocabulary, middle, range.depth) < code) low = middle + 1
    else high = middle
  }
  return low
}

function narrow(vocabulary: Vocabulary, range: Range, code: number): Range {
  const from = lowerBound(vocabulary, range, code)
  if (from >= range.to || codeAt(vocabulary, from, range.depth) !== code) return NOWHERE
  return { from, to: lowerBound(vocabulary, { ...range, from }, code + 1), depth: range.depth + 1 }
}

/** Goes on from a range by the characters of `word` from `index`. */
function follow(vocabulary: Vocabulary, start: Range, word: string, index: number): Range {
  let range = start
  for (let i = index; i < word.length && range.from < range.to; i++) {
    range = narrow(vocabulary, range, word.charCodeAt(i))
  }
  return range.from < range.to ? range : NOWHERE
}

/** Words that begin with `prefix`. */
export function prefixRange(vocabulary: Vocabulary, prefix: string): Range {
  return follow(vocabulary, { from: 0, to: vocabulary.ids.length, depth: 0 }, prefix, 0)
}

/**
 * Words whose beginning is one typing error away from `word`: a letter too many, too few, wrong, or two swapped.
 * It walks the ordered vocabulary like a tree, so branches that no word has are never tried.
 */
export function oneErrorRanges(vocabulary: Vocabulary, word: string): Range[] {
  const found: Range[] = []
  const keep = (range: Range) => {
    if (range.from < range.to) found.push(range)
  }
  let reached: Range = { from: 0, to: vocabulary.ids.length, depth: 0 }
  for (let i = 0; i < word.length && reached.from < reached.to; i++) {
    const typed = word.charCodeAt(i)
    keep(follow(vocabulary, reached, word, i + 1))
    const next = word.charCodeAt(i + 1)
    if (i + 1 < word.length && next !== typed) {
      keep(follow(vocabulary, narrow(vocabulary, narrow(vocabulary, reached, next), typed), word, i + 2))
    }
    for (let at = reached.from; at < reached.to; ) {
      const code = codeAt(vocabulary, at, reached.depth)
      const end = lowerBound(vocabulary, { ...reached, from: at }, code + 1)
      if (code >= 0 && code !== typed) {
        const child = { from: at, to: end, depth: reached.depth + 1 }
        keep(follow(vocabulary, child, word, i + 1))
        keep(follow(vocabulary, child, word, i))
      }
      at = end
    }
    reached = narrow(vocabulary, reached, typed)
  }
  return found
}
