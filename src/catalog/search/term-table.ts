import { mergeTimeSliced, sortTimeSliced, type TimeSliced } from '../../lib/time-sliced.ts'

/**
 * Numbers words (or whole codes). It only grows, so all snapshots of a process share it and a device that did not change
 * is not indexed again. The words of removed devices stay until the process restarts.
 */
export type TermTable = { readonly idOf: Map<string, number>; readonly texts: string[] }

/** A term of a document and its weight in one number: the weight in the low six bits, the id above. */
export type WeightedTerm = number

const WEIGHT_COUNT = 64

export const termId = (term: WeightedTerm): number => term >>> 6
export const termWeight = (term: WeightedTerm): number => term & (WEIGHT_COUNT - 1)

export function createTermTable(): TermTable {
  return { idOf: new Map(), texts: [] }
}

export function internTerm(table: TermTable, text: string): number {
  const existing = table.idOf.get(text)
  if (existing !== undefined) return existing
  const id = table.texts.length
  table.idOf.set(text, id)
  table.texts.push(text)
  return id
}

/** Adds a term to a document's list. A repeated term keeps its greatest weight. */
export function addTerm(terms: WeightedTerm[], id: number, weight: number): void {
  const term = id * WEIGHT_COUNT + weight
  for (let i = 0; i < terms.length; i++) {
    if (termId(terms[i] as number) !== id) continue
    if ((terms[i] as number) < term) terms[i] = term
    return
  }
  terms.push(term)
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
