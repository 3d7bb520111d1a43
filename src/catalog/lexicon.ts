import { mergeInSlices, type Slices, sortInSlices } from '../slices.ts'

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

function spanFrom(span: Span): number {
  return Math.floor(span / LONGEST)
}

function spanLength(span: Span): number {
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

/** Only words the predecessor did not know are sorted; the rest is merged. */
export function* orderVocabulary(lexicon: Lexicon, previous: Vocabulary): Slices<Vocabulary> {
  const { texts } = lexicon
  const known = previous.ids.length
  if (known === texts.length) return previous
  const byText = (a: number, b: number) => {
    const left = texts[a] as string
    const right = texts[b] as string
    return left < right ? -1 : left > right ? 1 : 0
  }
  const sorted: number[] = []
  for (const text of yield* sortInSlices(texts.slice(known))) {
    sorted.push(lexicon.idOf.get(text) as number)
    if ((sorted.length & 4095) === 0) yield
  }
  const all = known ? yield* mergeInSlices(previous.ids, sorted, byText) : sorted
  const ids = Uint32Array.from(all)
  yield
  const rankOf = new Uint32Array(ids.length)
  for (let rank = 0; rank < ids.length; rank++) rankOf[ids[rank] as number] = rank
  return { texts, ids, rankOf }
}

/** For each word the documents that have it, in document order, with their weights. */
export type Postings = {
  readonly starts: Uint32Array
  readonly documents: Uint32Array
  readonly weights: Uint8Array
}

/** `spans` in document order; `rankOf` puts the words in another order than that of their ids. */
export function* gatherPostings(lexicon: Lexicon, spans: Float64Array, rankOf: Uint32Array | null): Slices<Postings> {
  const { pool } = lexicon
  const size = lexicon.texts.length
  const starts = new Uint32Array(size + 1)
  let steps = 0
  for (const span of spans) {
    const count = spanLength(span)
    const from = spanFrom(span)
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
  for (let document = 0; document < spans.length; document++) {
    const count = spanLength(spans[document] as Span)
    const from = spanFrom(spans[document] as Span)
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
