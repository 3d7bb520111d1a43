import { insertInSlices, type Slices, sortInSlices } from '../slices.ts'

/**
 * Words (or whole codes) as numbers. It only grows, so successive snapshots share it: a device that did not change
 * keeps its list of numbers and is not read again.
 */
export type Lexicon = {
  readonly idOf: Map<string, number>
  readonly texts: string[]
  /** The numbers of all lists one after another, each `id * WEIGHTS + weight`. */
  pool: Uint32Array
  used: number
}

/** One document's list in the pool, as one number: where it begins and how long it is. */
export type Span = number

const LONGEST = 65_536

/** Weights of a word in a document are below this: six bits, the id has the other twenty-six. */
const WEIGHTS = 64

export function spanFrom(span: Span): number {
  return Math.floor(span / LONGEST)
}

export function spanLength(span: Span): number {
  return span % LONGEST
}

export function openLexicon(): Lexicon {
  return { idOf: new Map(), texts: [], pool: new Uint32Array(4096), used: 0 }
}

export function idOf(lexicon: Lexicon, text: string): number {
  const known = lexicon.idOf.get(text)
  if (known !== undefined) return known
  const id = lexicon.texts.length
  lexicon.idOf.set(text, id)
  lexicon.texts.push(text)
  return id
}

/** Adds a word, by its id, to the list that began at `from`; of a word given twice the greater weight counts. */
export function put(lexicon: Lexicon, from: number, id: number, weight: number): void {
  const { pool, used } = lexicon
  for (let i = from; i < used; i++) {
    if ((pool[i] as number) >>> 6 !== id) continue
    if (((pool[i] as number) & 63) < weight) pool[i] = id * WEIGHTS + weight
    return
  }
  if (used - from >= LONGEST - 1) return
  if (used === pool.length) {
    lexicon.pool = new Uint32Array(pool.length * 2)
    lexicon.pool.set(pool)
  }
  lexicon.pool[used] = id * WEIGHTS + weight
  lexicon.used = used + 1
}

/** The list that began at `from` and ends here. */
export function closeSpan(lexicon: Lexicon, from: number): Span {
  return from * LONGEST + (lexicon.used - from)
}

export function holds({ pool }: Lexicon, span: Span, id: number): boolean {
  const from = spanFrom(span)
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
export function* orderVocabulary(lexicon: Lexicon, previous: Vocabulary): Slices<Vocabulary> {
  const { texts } = lexicon
  const known = previous.ids.length
  if (known === texts.length) return previous
  const fresh = new Uint32Array(texts.length - known)
  for (const [at, text] of (yield* sortInSlices(texts.slice(known))).entries()) {
    fresh[at] = lexicon.idOf.get(text) as number
    if ((at & 4095) === 4095) yield
  }
  const ids = yield* insertInSlices(previous.ids, fresh, (a, b) => (texts[a] as string) < (texts[b] as string))
  yield
  const rankOf = new Uint32Array(ids.length)
  for (let rank = 0; rank < ids.length; rank++) rankOf[ids[rank] as number] = rank
  return { texts, ids, rankOf }
}
