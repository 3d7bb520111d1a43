import { sortTimeSliced, type TimeSliced } from '../../lib/time-sliced.ts'

/**
 * Assigns ids to words (or whole codes). It only grows, so all snapshots of a process share it and unchanged devices are not
 * indexed again.
 */
export type TermTable = { readonly idOf: Map<string, number>; readonly texts: string[] }

/** The terms of one document: weight in the low six bits, id in the bits above. */
export type TermList = readonly number[]

export const NO_TERMS: TermList = []
const WEIGHT_COUNT = 64

export const termId = (term: number): number => term >>> 6
export const termWeight = (term: number): number => term & (WEIGHT_COUNT - 1)
export const hasTerm = (terms: TermList, id: number): boolean => terms.some((term) => termId(term) === id)

export function createTermTable(): TermTable {
  return { idOf: new Map(), texts: [] }
}

export function internTerm({ idOf, texts }: TermTable, text: string): number {
  const existing = idOf.get(text)
  if (existing !== undefined) return existing
  idOf.set(text, texts.length)
  return texts.push(text) - 1
}

/** A repeated term keeps its greatest weight. */
export function addTerm(terms: number[], id: number, weight: number): void {
  const term = id * WEIGHT_COUNT + weight
  const at = terms.findIndex((other) => termId(other) === id)
  if (at < 0) terms.push(term)
  else if ((terms[at] as number) < term) terms[at] = term
}

/** The words in alphabetical order, so that those with a common prefix are neighbours. */
export type Vocabulary = {
  readonly texts: readonly string[]
  /** Ids in the order of their words. */
  readonly ids: Uint32Array
  /** Rank of each id in that order. */
  readonly rankOf: Uint32Array
}

export function* sortVocabulary({ texts, idOf }: TermTable): TimeSliced<Vocabulary> {
  const sorted = yield* sortTimeSliced(texts)
  const ids = Uint32Array.from(sorted, (text) => idOf.get(text) as number)
  yield
  const rankOf = new Uint32Array(ids.length)
  for (let rank = 0; rank < ids.length; rank++) rankOf[ids[rank] as number] = rank
  return { texts, ids, rankOf }
}
