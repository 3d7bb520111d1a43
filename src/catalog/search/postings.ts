import type { TimeSliced } from '../../lib/time-sliced.ts'
import { spanLength, spanStart, type TermSpan, type TermTable } from './term-table.ts'

/** The span of a document without words. */
const EMPTY_SPAN: TermSpan = 0

/** For each word the documents that have it, in document order, with their weights. */
export type Postings = {
  readonly starts: Uint32Array
  readonly documents: Uint32Array
  readonly weights: Uint8Array
}

/** `spans` by row, `rows` in document order; `rankOf` puts the words in another order than that of their ids. */
export function* buildPostings(
  table: TermTable,
  spans: Float64Array,
  rows: Uint32Array,
  rankOf: Uint32Array | null,
): TimeSliced<Postings> {
  const { pool } = table
  const size = table.texts.length
  const starts = new Uint32Array(size + 1)
  let steps = 0
  for (const row of rows) {
    const span = spans[row] ?? EMPTY_SPAN
    const count = spanLength(span)
    const from = spanStart(span)
    for (let i = from; i < from + count; i++) {
      const id = (pool[i] as number) >>> 6
      const place = (rankOf ? (rankOf[id] as number) : id) + 1
      starts[place] = (starts[place] as number) + 1
    }
    steps += count
    if (steps > 30_000) {
      steps = 0
      yield
    }
  }
  for (let i = 0; i < size; i++) starts[i + 1] = (starts[i + 1] as number) + (starts[i] as number)
  yield
  const total = starts[size] as number
  const next = starts.slice(0, size)
  const documents = new Uint32Array(total)
  const weights = new Uint8Array(total)
  for (let document = 0; document < rows.length; document++) {
    const span = spans[rows[document] as number] ?? EMPTY_SPAN
    const count = spanLength(span)
    const from = spanStart(span)
    for (let i = from; i < from + count; i++) {
      const packed = pool[i] as number
      const id = packed >>> 6
      const place = rankOf ? (rankOf[id] as number) : id
      const slot = next[place] as number
      next[place] = slot + 1
      documents[slot] = document
      weights[slot] = packed & 63
    }
    steps += count
    if (steps > 20_000) {
      steps = 0
      yield
    }
  }
  return { starts, documents, weights }
}

/** A document that has other words than before. */
export type ChangedDocument = { readonly document: number; readonly before: TermSpan; readonly after: TermSpan }

/** Words by their ranks, which are those of their ids where there are none. */
type Ranks = Uint32Array | null

/**
 * What gathering all would give, where few documents have other words than before and all have kept their numbers: a copy
 * with some places taken out and some put in.
 */
export function* patchPostings(
  table: TermTable,
  before: { readonly postings: Postings; readonly rankOf: Ranks },
  rankOf: Ranks,
  changed: readonly ChangedDocument[],
): TimeSliced<Postings> {
  const old = before.postings
  const known = old.starts.length - 1
  const edits = changed.flatMap((each) => editsOf(table, each))
  if (edits.length === 0 && known === table.texts.length) return old
  const rank = (id: number) => (rankOf ? (rankOf[id] as number) : id)
  const oldRank = (id: number) => (before.rankOf ? (before.rankOf[id] as number) : id)

  // How many documents each word had, at the rank it has now.
  const starts = new Uint32Array(table.texts.length + 1)
  for (let id = 0; id < known; id++) {
    const was = oldRank(id)
    starts[rank(id) + 1] = (old.starts[was + 1] as number) - (old.starts[was] as number)
    if ((id & 65535) === 65535) yield
  }
  yield
  // A word that is new has no documents yet; its own come where those of the words before it end.
  const newRanks = new Set(edits.filter(({ id }) => id >= known).map(({ id }) => rank(id)))
  const startOfNew = new Map<number, number>()
  for (let at = 0, sum = 0; startOfNew.size < newRanks.size; at++) {
    sum += starts[at] as number
    if (newRanks.has(at)) startOfNew.set(at, sum)
  }
  yield

  /** The place among the old documents that an edit is about. */
  const placeOf = ({ id, document }: PostingEdit) => {
    if (id >= known) return startOfNew.get(rank(id)) as number
    const was = oldRank(id)
    return lowerBound(old.documents, old.starts[was] as number, old.starts[was + 1] as number, document)
  }
  const placed = edits
    .map((edit) => ({ ...edit, rank: rank(edit.id), at: placeOf(edit) }))
    .sort((a, b) => a.at - b.at || a.rank - b.rank || a.document - b.document)
  const added = placed.reduce((total, { weight }) => total + (weight === null ? -1 : 1), 0)
  const documents = new Uint32Array(old.documents.length + added)
  const weights = new Uint8Array(documents.length)
  let from = 0
  let to = 0
  const copyUntil = (end: number) => {
    if (end <= from) return
    documents.set(old.documents.subarray(from, end), to)
    weights.set(old.weights.subarray(from, end), to)
    to += end - from
    from = end
  }
  for (const { at, document, weight, rank } of placed) {
    copyUntil(at)
    starts[rank + 1] = (starts[rank + 1] as number) + (weight === null ? -1 : 1)
    if (weight === null) from++
    else {
      documents[to] = document
      weights[to++] = weight
    }
  }
  copyUntil(old.documents.length)
  yield
  for (let at = 0; at < table.texts.length; at++) starts[at + 1] = (starts[at + 1] as number) + (starts[at] as number)
  return { starts, documents, weights }
}

/** A word to take out of a document (null) or to put in with its weight. One that weighs otherwise is both. */
type PostingEdit = { readonly id: number; readonly document: number; readonly weight: number | null }

function editsOf({ pool }: TermTable, { document, before, after }: ChangedDocument): PostingEdit[] {
  const listOf = (span: TermSpan) => pool.subarray(spanStart(span), spanStart(span) + spanLength(span))
  const [was, is] = [new Set(listOf(before)), new Set(listOf(after))]
  return [
    ...[...was].filter((word) => !is.has(word)).map((word) => ({ id: word >>> 6, document, weight: null })),
    ...[...is].filter((word) => !was.has(word)).map((word) => ({ id: word >>> 6, document, weight: word & 63 })),
  ]
}

function lowerBound(documents: Uint32Array, from: number, to: number, document: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((documents[middle] as number) < document) low = middle + 1
    else high = middle
  }
  return low
}
