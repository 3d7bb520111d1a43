import { mergeSortedTimeSliced, sortTimeSliced, type TimeSliced } from '../../lib/time-sliced.ts'

/**
 * Words (or whole codes) as numbers. It only grows, so successive snapshots share it: a device that did not change
 * keeps its list of numbers and is not read again.
 */
export type TermTable = {
  readonly idOf: Map<string, number>
  readonly texts: string[]
  /** The numbers of all lists one after another, each `id * WEIGHTS + weight`. */
  pool: Uint32Array
  used: number
}

/** One document's list in the pool, as one number: where it begins and how long it is. */
export type TermSpan = number

const MAX_SPAN_TERMS = 65_536

/** Weights of a word in a document are below this: six bits, the id has the other twenty-six. */
const WEIGHT_COUNT = 64

export function spanStart(span: TermSpan): number {
  return Math.floor(span / MAX_SPAN_TERMS)
}

export function spanLength(span: TermSpan): number {
  return span % MAX_SPAN_TERMS
}

export function createTermTable(): TermTable {
  return { idOf: new Map(), texts: [], pool: new Uint32Array(4096), used: 0 }
}

export function internTerm(table: TermTable, text: string): number {
  const known = table.idOf.get(text)
  if (known !== undefined) return known
  const id = table.texts.length
  table.idOf.set(text, id)
  table.texts.push(text)
  return id
}

/** Adds a word, by its id, to the list that began at `from`; of a word given twice the greater weight counts. */
export function addTerm(table: TermTable, from: number, id: number, weight: number): void {
  const { pool, used } = table
  for (let i = from; i < used; i++) {
    if ((pool[i] as number) >>> 6 !== id) continue
    if (((pool[i] as number) & 63) < weight) pool[i] = id * WEIGHT_COUNT + weight
    return
  }
  if (used - from >= MAX_SPAN_TERMS - 1) return
  if (used === pool.length) {
    table.pool = new Uint32Array(pool.length * 2)
    table.pool.set(pool)
  }
  table.pool[used] = id * WEIGHT_COUNT + weight
  table.used = used + 1
}

/** The list that began at `from` and ends here. */
export function endSpan(table: TermTable, from: number): TermSpan {
  return from * MAX_SPAN_TERMS + (table.used - from)
}

export function spanContains({ pool }: TermTable, span: TermSpan, id: number): boolean {
  const from = spanStart(span)
  const end = from + spanLength(span)
  for (let i = from; i < end; i++) if ((pool[i] as number) >>> 6 === id) return true
  return false
}

/** The words in order, so that those with a common beginning stand together. */
export type Vocabulary = {
  readonly texts: readonly string[]
  /** Ids in the order of their words. */
  readonly ids: Uint32Array
  /** Place of each id in that order. */
  readonly rankOf: Uint32Array
}

export const EMPTY_VOCABULARY: Vocabulary = { texts: [], ids: new Uint32Array(), rankOf: new Uint32Array() }

/** Only words the predecessor did not know are sorted, and put where they belong. */
export function* sortVocabulary(table: TermTable, previous: Vocabulary): TimeSliced<Vocabulary> {
  const { texts } = table
  const known = previous.ids.length
  if (known === texts.length) return previous
  const fresh = new Uint32Array(texts.length - known)
  for (const [at, text] of (yield* sortTimeSliced(texts.slice(known))).entries()) {
    fresh[at] = table.idOf.get(text) as number
    if ((at & 4095) === 4095) yield
  }
  const ids = yield* mergeSortedTimeSliced(previous.ids, fresh, (a, b) => (texts[a] as string) < (texts[b] as string))
  yield
  const rankOf = new Uint32Array(ids.length)
  for (let rank = 0; rank < ids.length; rank++) rankOf[ids[rank] as number] = rank
  return { texts, ids, rankOf }
}
