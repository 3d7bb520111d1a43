import type { TimeSliced } from '../../lib/time-sliced.ts'
import { termId, termWeight, type WeightedTerm } from './term-table.ts'

/** For each term the documents that have it, in document order, with the term's weight there. */
export type Postings = {
  /** Where the documents of each term start; one longer than the number of terms. */
  readonly starts: Uint32Array
  readonly documents: Uint32Array
  readonly weights: Uint8Array
}

const TERMS_PER_STEP = 20_000

/** `rankOf` gives the order of the terms; without it they are in the order of their ids. */
export function* buildPostings<Document>(
  documents: readonly Document[],
  termsOf: (document: Document) => readonly WeightedTerm[],
  termCount: number,
  rankOf: Uint32Array | null,
): TimeSliced<Postings> {
  const rank = (term: WeightedTerm) => (rankOf ? (rankOf[termId(term)] as number) : termId(term))
  const starts = new Uint32Array(termCount + 1)
  let steps = 0
  for (const document of documents) {
    const terms = termsOf(document)
    for (let i = 0; i < terms.length; i++) {
      const next = rank(terms[i] as number) + 1
      starts[next] = (starts[next] as number) + 1
    }
    steps += terms.length
    if (steps > TERMS_PER_STEP) {
      steps = 0
      yield
    }
  }
  for (let i = 0; i < termCount; i++) starts[i + 1] = (starts[i + 1] as number) + (starts[i] as number)
  yield
  const slots = starts.slice(0, termCount)
  const total = starts[termCount] as number
  const postings = { starts, documents: new Uint32Array(total), weights: new Uint8Array(total) }
  for (let number = 0; number < documents.length; number++) {
    const terms = termsOf(documents[number] as Document)
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i] as number
      const slot = slots[rank(term)] as number
      slots[rank(term)] = slot + 1
      postings.documents[slot] = number
      postings.weights[slot] = termWeight(term)
    }
    steps += terms.length
    if (steps > TERMS_PER_STEP) {
      steps = 0
      yield
    }
  }
  return postings
}
