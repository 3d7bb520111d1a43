import type { TimeSliced } from '../../lib/time-sliced.ts'
import { type TermList, type TermTable, termId, termWeight } from './term-table.ts'

/** Documents of each term, in document order, with the term's weight in each. */
export type Postings = {
  /** Start index of each term's documents; one longer than the number of terms. */
  readonly starts: Uint32Array
  readonly documents: Uint32Array
  readonly weights: Uint8Array
}

const TERMS_PER_STEP = 20_000

/** `rankOf` gives the order of the terms; without it they are in the order of their ids. */
export function* buildPostings<Document>(
  { texts }: TermTable,
  documents: readonly Document[],
  termsOf: (document: Document) => TermList,
  rankOf: Uint32Array | null,
): TimeSliced<Postings> {
  const rank = (term: number) => (rankOf ? (rankOf[termId(term)] as number) : termId(term))
  const starts = new Uint32Array(texts.length + 1)
  let termsSinceYield = 0
  function* forEachTerm(visit: (term: number, documentNumber: number) => void): TimeSliced<void> {
    for (const [documentNumber, document] of documents.entries()) {
      const terms = termsOf(document)
      for (const term of terms) visit(term, documentNumber)
      termsSinceYield += terms.length
      if (termsSinceYield <= TERMS_PER_STEP) continue
      termsSinceYield = 0
      yield
    }
  }
  yield* forEachTerm((term) => {
    const next = rank(term) + 1
    starts[next] = (starts[next] as number) + 1
  })
  const count = starts.length - 1
  for (let i = 0; i < count; i++) starts[i + 1] = (starts[i + 1] as number) + (starts[i] as number)
  yield
  const slots = starts.slice(0, count)
  const total = starts[count] as number
  const postings = { starts, documents: new Uint32Array(total), weights: new Uint8Array(total) }
  yield* forEachTerm((term, documentNumber) => {
    const slot = slots[rank(term)] as number
    slots[rank(term)] = slot + 1
    postings.documents[slot] = documentNumber
    postings.weights[slot] = termWeight(term)
  })
  return postings
}
