import type { Postings } from './postings.ts'
import { countLetters, dropPrefixWords, type SearchTerm } from './search-term.ts'
import type { TermTable, Vocabulary } from './term-table.ts'
import { oneTypoRanges, prefixRange, type VocabularyRange } from './vocabulary-ranges.ts'

/** Weight of each field. It is stored with the word and decides between equal matches. */
const FIELD_WEIGHTS = { name: 48, make: 32, category: 16, slug: 8 } as const

export type SearchField = keyof typeof FIELD_WEIGHTS

/** Earlier words weigh more, up to the eighth. */
export function fieldWeight(field: SearchField, position: number): number {
  return FIELD_WEIGHTS[field] + 7 - Math.min(position, 7)
}

/** Score by kind of match. It outweighs the field. */
const EXACT_MATCH = 192
const PREFIX_MATCH = 128
const EXACT_MATCH_WITH_TYPO = 64
const PREFIX_MATCH_WITH_TYPO = 0

/** An exact model number scores like an exact word in the middle of a name. */
const CODE_MATCH = EXACT_MATCH + FIELD_WEIGHTS.name + 4

const MIN_LETTERS_FOR_TYPO = 5

/** Word index over a list of documents. Document numbers are positions in the total order. */
export type WordIndex = { readonly vocabulary: Vocabulary; readonly postings: Postings }

/** Index of whole codes (model numbers, SKUs, …) over the same documents. */
export type CodeIndex = { readonly terms: TermTable; readonly postings: Postings }

/** A word index, with the first searched document of each of its documents; null if they are the same. */
export type SearchLayer = WordIndex & { readonly firstDocument: Uint32Array | null }

export type SearchableDocuments = {
  readonly size: number
  readonly layers: readonly SearchLayer[]
  /** Documents with exactly this code. */
  readonly findByCode: (code: string) => readonly number[]
  /** Distinct words in each document's name. */
  readonly nameWordCounts: Uint8Array
}

/** The documents that have a code, in total order. */
export function findDocumentsByCode(index: CodeIndex, code: string): Uint32Array {
  const id = index.terms.idOf.get(code)
  // The term table is shared with the snapshot being built and may have more codes than this index.
  if (id === undefined || id + 1 >= index.postings.starts.length) return new Uint32Array()
  return index.postings.documents.subarray(index.postings.starts[id], index.postings.starts[id + 1])
}

type LayerMatch = {
  readonly ranges: readonly VocabularyRange[]
  readonly typoRanges: readonly VocabularyRange[]
  readonly layer: SearchLayer
}
type WordMatches = { readonly layers: readonly LayerMatch[]; readonly cost: number }

/**
 * All documents that match, best first, then in total order. Every word must match. If no document matches, tries a code
 * among the words, then one typing error (which includes a missing blank) per longer word.
 */
export function search(searchable: SearchableDocuments, term: SearchTerm): Uint32Array {
  const findByCodes = (codes: readonly string[]) => {
    const [first = '', second] = codes
    const documents = searchable.findByCode(first)
    return documents.length || second === undefined ? documents : searchable.findByCode(second)
  }
  const codeMatches = findByCodes(term.codes)
  const wordMatches = matchWords(searchable, term.words, false, codeMatches)
  if (wordMatches.length) return wordMatches

  const codeParts = term.parts.filter((part) => findByCodes(part.codes).length > 0)
  if (codeParts.length && term.parts.length > 1) {
    const otherWords = dropPrefixWords(
      term.parts.filter((part) => !codeParts.includes(part)).flatMap((part) => part.words),
    )
    const [first, ...others] = codeParts.map((part) => findByCodes(part.codes))
    const withAllCodes = (first ?? []).filter((document) => others.every((list) => list.includes(document)))
    const withOtherWords = otherWords.length ? new Set(matchWords(searchable, otherWords, false, [])) : null
    const hits = withOtherWords ? withAllCodes.filter((document) => withOtherWords.has(document)) : withAllCodes
    if (hits.length) return Uint32Array.from(hits).sort()
  }

  // Between a letter and a digit a missing blank is likelier than a wrong letter: `oneplus12` is not `oneplus2`.
  for (const attempt of [
    () => matchSplitWords(searchable, term.words, startsNumber),
    () => matchWords(searchable, term.words, true, []),
    () => matchSplitWords(searchable, term.words, () => true),
  ]) {
    const matches = attempt()
    if (matches.length) return matches
  }
  return new Uint32Array()
}

function matchSplitWords(
  searchable: SearchableDocuments,
  words: readonly string[],
  canSplitAt: CanSplitAt,
): Uint32Array {
  const separated = dropPrefixWords(words.flatMap((word) => splitWord(searchable, word, canSplitAt)))
  return separated.length > words.length ? matchWords(searchable, separated, false, []) : new Uint32Array()
}

type CanSplitAt = (word: string, at: number) => boolean

const startsNumber: CanSplitAt = (word, at) => isDigit(word.charCodeAt(at)) && !isDigit(word.charCodeAt(at - 1))

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Splits a word without matches where a blank is missing: `iphone15` becomes `iphone 15`. */
function splitWord({ layers }: SearchableDocuments, word: string, canSplitAt: CanSplitAt): string[] {
  if (countLetters(word) < MIN_LETTERS_FOR_TYPO) return [word]
  const hasWord = (prefix: string, isWhole: boolean) =>
    layers.some(({ vocabulary }) => {
      const { from, to, depth } = prefixRange(vocabulary, prefix)
      return from < to && (!isWhole || lengthAt(vocabulary, from) === depth)
    })
  if (hasWord(word, false)) return [word]
  for (let at = word.length - 1; at > 0; at--) {
    if (!canSplitAt(word, at)) continue
    if (hasWord(word.slice(0, at), true) && hasWord(word.slice(at), false)) return [word.slice(0, at), word.slice(at)]
  }
  return [word]
}

function lengthAt(vocabulary: Vocabulary, rank: number): number {
  return vocabulary.texts[vocabulary.ids[rank] as number]?.length ?? 0
}

function matchWords(
  searchable: SearchableDocuments,
  words: readonly string[],
  allowTypos: boolean,
  codeMatches: readonly number[],
): Uint32Array {
  const wordMatches: WordMatches[] = []
  for (const word of words) {
    const matches = matchWord(searchable, word, allowTypos && countLetters(word) >= MIN_LETTERS_FOR_TYPO)
    if (matches.cost === 0) return Uint32Array.from(codeMatches)
    wordMatches.push(matches)
  }
  if (!wordMatches.length) return Uint32Array.from(codeMatches)
  // The rarest word first: it leaves few documents to score for the common words.
  wordMatches.sort((a, b) => a.cost - b.cost)
  const scorer = createScorer(searchable.size)
  for (const { layers: layerMatches } of wordMatches) {
    scorer.nextWord()
    for (const { layer, ranges, typoRanges } of layerMatches) {
      for (const range of ranges) scorer.count(layer, range, EXACT_MATCH, PREFIX_MATCH)
      for (const range of typoRanges) scorer.count(layer, range, EXACT_MATCH_WITH_TYPO, PREFIX_MATCH_WITH_TYPO)
    }
  }
  return scorer.ranking(codeMatches, CODE_MATCH * words.length, searchable.nameWordCounts)
}

function matchWord({ layers }: SearchableDocuments, word: string, allowTypos: boolean): WordMatches {
  const layerMatches: LayerMatch[] = []
  let cost = 0
  for (const layer of layers) {
    const exact = prefixRange(layer.vocabulary, word)
    const ranges = exact.from < exact.to ? [exact] : []
    const typoRanges = allowTypos ? withoutOverlap(oneTypoRanges(layer.vocabulary, word)) : []
    for (const { from, to } of [...ranges, ...typoRanges]) {
      cost += (layer.postings.starts[to] as number) - (layer.postings.starts[from] as number)
    }
    layerMatches.push({ layer, ranges, typoRanges })
  }
  return { layers: layerMatches, cost }
}

/** Ranges are disjoint or nested. Of a nested one only the whole word is kept, because it scores higher than a prefix. */
function withoutOverlap(ranges: readonly VocabularyRange[]): VocabularyRange[] {
  const disjoint: VocabularyRange[] = []
  let end = 0
  for (const range of [...ranges].sort((a, b) => a.from - b.from || b.to - a.to)) {
    disjoint.push(range.from >= end ? range : { ...range, to: range.from + 1 })
    end = Math.max(end, range.to)
  }
  return disjoint
}

const createScratch = (size: number) => ({
  wordsMatched: new Uint8Array(size),
  sums: new Uint16Array(size),
  best: new Uint8Array(size),
  nameHits: new Uint8Array(size),
  matched: new Uint32Array(size),
  scores: new Uint32Array(size),
})

let scratch = createScratch(0)

/** Searches are synchronous, so they share their buffers instead of allocating garbage. */
function clearScratch(size: number): typeof scratch {
  if (scratch.wordsMatched.length < size) scratch = createScratch(Math.ceil(size * 1.25))
  else {
    scratch.wordsMatched.fill(0, 0, size)
    scratch.sums.fill(0, 0, size)
    scratch.nameHits.fill(0, 0, size)
  }
  return scratch
}

/** Sums the best match of each word per document; a document that lacks a word is excluded. */
function createScorer(size: number) {
  const { wordsMatched, sums, best, nameHits, matched, scores } = clearScratch(size)
  let word = 0

  function add(document: number, weight: number): void {
    const matchedBefore = wordsMatched[document] as number
    const inName = (weight & 63) >= FIELD_WEIGHTS.name ? 1 : 0
    if (matchedBefore === word - 1) {
      wordsMatched[document] = word
      sums[document] = (sums[document] as number) + weight
      best[document] = weight
      nameHits[document] = (nameHits[document] as number) + inName
    } else if (matchedBefore === word && (best[document] as number) < weight) {
      const previousBest = best[document] as number
      sums[document] = (sums[document] as number) + weight - previousBest
      nameHits[document] = (nameHits[document] as number) + inName - ((previousBest & 63) >= FIELD_WEIGHTS.name ? 1 : 0)
      best[document] = weight
    }
  }

  return {
    nextWord(): void {
      word++
    },

    count(
      { vocabulary, postings, firstDocument }: SearchLayer,
      range: VocabularyRange,
      exactScore: number,
      prefixScore: number,
    ): void {
      const { starts, documents, weights } = postings
      // Only the first word of a range can be as long as the typed word.
      const hasExactWord = lengthAt(vocabulary, range.from) === range.depth
      const exactEnd = hasExactWord ? (starts[range.from + 1] as number) : 0
      const end = starts[range.to] as number
      for (let i = starts[range.from] as number; i < end; i++) {
        const document = documents[i] as number
        const weight = (weights[i] as number) + (i < exactEnd ? exactScore : prefixScore)
        if (firstDocument === null) add(document, weight)
        else {
          const endDocument = firstDocument[document + 1] as number
          for (let searched = firstDocument[document] as number; searched < endDocument; searched++)
            add(searched, weight)
        }
      }
    },

    ranking(codeMatches: readonly number[], codeScore: number, nameWordCounts: Uint8Array): Uint32Array {
      for (const document of codeMatches) {
        if (wordsMatched[document] !== word) nameHits[document] = 0
        if (wordsMatched[document] !== word || (sums[document] as number) < codeScore) sums[document] = codeScore
        wordsMatched[document] = word
      }
      let total = 0
      let highest = 0
      for (let document = 0; document < size; document++) {
        if (wordsMatched[document] !== word) continue
        // Between equal matches a fully matched name is better: `iphone 14` means the iPhone 14, not the 14 Plus.
        const isNameComplete = (nameHits[document] as number) >= (nameWordCounts[document] as number)
        const score = (sums[document] as number) * 2 + (isNameComplete ? 1 : 0)
        if (score > highest) highest = score
        scores[total] = score
        matched[total++] = document
      }
      // Counting sort: scores are small integers, so it is linear, and it keeps the total order.
      const bucketStarts = new Uint32Array(highest + 2)
      for (let i = 0; i < total; i++) {
        const bucket = highest - (scores[i] as number) + 1
        bucketStarts[bucket] = (bucketStarts[bucket] as number) + 1
      }
      for (let i = 0; i <= highest; i++)
        bucketStarts[i + 1] = (bucketStarts[i + 1] as number) + (bucketStarts[i] as number)
      const ranked = new Uint32Array(total)
      for (let i = 0; i < total; i++) {
        const bucket = highest - (scores[i] as number)
        ranked[bucketStarts[bucket] as number] = matched[i] as number
        bucketStarts[bucket] = (bucketStarts[bucket] as number) + 1
      }
      return ranked
    },
  }
}
