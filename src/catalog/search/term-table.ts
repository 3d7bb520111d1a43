import { mergeTimeSliced, sortTimeSliced, type TimeSliced } from '../../lib/time-sliced.ts'

/**
 * Numbers words (or whole codes). It only grows, so all snapshots of a process share it and a device that did not change
 * is not indexed again.
 */
export type TermTable = {
  readonly idOf: Map<string, number>
  readonly texts: string[]
  /**
   * The term lists of all documents one after another: half a million small arrays would take ten times the memory.
   * Each term has its weight in the low six bits and its id above.
   */
  pool: Uint32Array
  used: number
}

/** One document's list in the pool, as one number: its start and its length. */
export type TermSpan = number

export const EMPTY_SPAN: TermSpan = 0
const MAX_SPAN_TERMS = 65_536
const WEIGHT_COUNT = 64

export const spanStart = (span: TermSpan): number => Math.floor(span / MAX_SPAN_TERMS)
export const spanLength = (span: TermSpan): number => span % MAX_SPAN_TERMS
export const termId = (term: number): number => term >>> 6
export const termWeight = (term: number): number => term & (WEIGHT_COUNT - 1)

export function createTermTable(): TermTable {
  return { idOf: new Map(), texts: [], pool: new Uint32Array(4096), used: 0 }
}

export function internTerm(table: TermTable, text: string): number {
  const existing = table.idOf.get(text)
  if (existing !== undefined) return existing
  const id = table.texts.length
  table.idOf.set(text, id)
  table.texts.push(text)
  return id
}

/** Adds a term to the list that starts at `start`. A repeated term keeps its greatest weight. */
export function addTerm(table: TermTable, start: number, id: number, weight: number): void {
  const { pool, used } = table
  const term = id * WEIGHT_COUNT + weight
  for (let i = start; i < used; i++) {
    if (termId(pool[i] as number) !== id) continue
    if ((pool[i] as number) < term) pool[i] = term
    return
  }
  if (used - start >= MAX_SPAN_TERMS - 1) return
  if (used === pool.length) {
    table.pool = new Uint32Array(pool.length * 2)
    table.pool.set(pool)
  }
  table.pool[used] = term
  table.used = used + 1
}

/** The list from `start` to the end of the pool. */
export function endSpan(table: TermTable, start: number): TermSpan {
  return start * MAX_SPAN_TERMS + (table.used - start)
}

export function spanContains({ pool }: TermTable, span: TermSpan, id: number): boolean {
  const start = spanStart(span)
  const end = start + spanLength(span)
  for (let i = start; i < end; i++) if (termId(pool[i] as number) === id) return true
  return false
}

/** The words in alphabetical order, so that those with a common prefix are neighbours. */
export type Vocabulary = {
  readonly texts: readonly string[]
  /** Ids in the order of their words. */
  readonly ids: Uint32Array
  /** Rank of each id in that order. */
  readonly rankOf: Uint32Array
}

export const EMPTY_VOCABULARY: Vocabulary = { texts: [], ids: new Uint32Array(), rankOf: new Uint32Array() }

/** Sorts only the words that `previous` does not have and merges them into it. */
export function* sortVocabulary(table: TermTable, previous: Vocabulary): TimeSliced<Vocabulary> {
  const { texts, idOf } = table
  const previousCount = previous.ids.length
  if (previousCount === texts.length) return previous
  const added = yield* sortTimeSliced(texts.slice(previousCount))
  yield
  const addedIds = added.map((text) => idOf.get(text) as number)
  yield
  const merged = yield* mergeTimeSliced(previous.ids, addedIds, (a, b) =>
    (texts[a] as string) < (texts[b] as string) ? -1 : 1,
  )
  const ids = Uint32Array.from(merged)
  yield
  const rankOf = new Uint32Array(ids.length)
  for (let rank = 0; rank < ids.length; rank++) rankOf[ids[rank] as number] = rank
  return { texts, ids, rankOf }
}
