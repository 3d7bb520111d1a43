import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { runToEnd } from '../../lib/time-sliced.ts'
import { createTermTable, internTerm, sortVocabulary, type Vocabulary } from './term-table.ts'
import { oneTypoRanges, prefixRange, type VocabularyRange } from './vocabulary-ranges.ts'

function vocabularyOf(list: readonly string[]): Vocabulary {
  const lexicon = createTermTable()
  for (const word of list) internTerm(lexicon, word)
  return runToEnd(sortVocabulary(lexicon))
}

function wordsIn(vocabulary: Vocabulary, ranges: readonly VocabularyRange[]): string[] {
  const found = new Set<string>()
  for (const { from, to } of ranges) {
    for (let rank = from; rank < to; rank++) found.add(vocabulary.texts[vocabulary.ids[rank] as number] as string)
  }
  return [...found].sort()
}

/** Optimal string alignment distance, straightforward reference implementation. */
function distance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j))
  const cell = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const row = table[i] as number[]
      row[j] = Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, cell(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1))
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(cell(i, j), cell(i - 2, j - 2) + 1)
    }
  }
  return cell(a.length, b.length)
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 7 })

test('a prefix finds exactly the words that begin with it', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 40 }), word, (list, prefix) => {
      const vocabulary = vocabularyOf(list)
      const expected = list.filter((entry) => entry.startsWith(prefix)).sort()
      expect(wordsIn(vocabulary, [prefixRange(vocabulary, prefix)])).toEqual(expected)
    }),
  )
})

test('one typing error finds exactly the words with a prefix at that distance, and others only via the correct word', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 40 }), word, (list, typed) => {
      const vocabulary = vocabularyOf(list)
      const found = wordsIn(vocabulary, [prefixRange(vocabulary, typed), ...oneTypoRanges(vocabulary, typed)])
      const near = (entry: string) => {
        for (let end = 0; end <= entry.length; end++) if (distance(typed, entry.slice(0, end)) <= 1) return true
        return false
      }
      expect(found).toEqual(list.filter(near).sort())
    }),
    { numRuns: 500 },
  )
})
