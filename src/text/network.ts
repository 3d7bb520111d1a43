/**
 * The network that decides what a clause states. `lab/text/network.ts` trains it and describes its parts; here it runs, with the
 * products of matrices in WebAssembly.
 */
import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import kernelPath from '../../data/text/matrix.wasm' with { type: 'file' }
import weightsPath from '../../data/text/weights.bin' with { type: 'file' }
import header from '../../data/text/weights.json' with { type: 'json' }
import { once } from '../lib/memoize.ts'
import type { TimeSliced } from '../lib/time-sliced.ts'
import { type Clause, isRunOn } from './clauses.ts'
import { featuresOfToken, hashFeature } from './features.ts'
import { DEFECT_COUNT, FIRST_OFFER, LABELS } from './labels.ts'
import { scaleOf } from './quantization.ts'
import { isSyllable, type Token } from './text-tokens.ts'

/** Log-odds by label: of each clause, of each token for the labels of defects, and of the text for the kinds of offer. */
export type Scores = {
  readonly offers: Float32Array
  readonly clauses: readonly Float32Array[]
  /** Of clauses that may state or deny a defect. */
  readonly tokens: readonly (Float32Array | undefined)[]
}

const { buckets, size, width, dilations, seeds } = header
/** By label: turns log-odds into those of how often such a statement was right on texts that are kept aside. */
export const { calibration } = header
/** Probabilities, chosen on advertisements that the network was not trained on. */
export const { thresholds } = header
const LABEL_COUNT = LABELS.length
const OFFER_COUNT = LABEL_COUNT - FIRST_OFFER
const COLUMNS = Math.ceil(LABEL_COUNT / 16) * 16
/** Rows of zeros between the text and the ends of the space: as far as a token sees. */
const PADDING = Math.max(...dilations) * ((width - 1) / 2)
const TOKEN_LABELS = 2 * DEFECT_COUNT
const ATTENTION_GAIN = 3
/** How far beside it a token still counts for another one. */
const REACH = dilations.reduce((reach, dilation) => reach + dilation * ((width - 1) / 2), 0)
/** A text is read in windows of whole clauses of about so many tokens, with the neighbours that count on both sides. */
const WINDOW = 96
/** Of a longer clause, which consists of signs, the part around its first word is read. */
const MAX_CLAUSE = WINDOW
const MAX_ROWS = WINDOW + MAX_CLAUSE + 2 * REACH
const MAX_CACHED_WORDS = 8_000
/**
 * Log-odds of a defect in a stretch without signs in a long text: of ten such statements in real advertisements two were right,
 * so that a person is asked.
 */
const MAX_OF_RUN_ON = 0
/** Log-odds from which a caller takes a clause for a statement or a denial. */
const LEAST_STATED = ((least) => Math.log(least / (1 - least)))(Math.min(thresholds.states, thresholds.detail))

function calibrated(logOdds: number, label: number): number {
  return (calibration.scale[label] as number) * logOdds + (calibration.shift[label] as number)
}

type Model = {
  readonly seed: number
  readonly scales: Uint8Array
  /** Two numbers of four bits in a byte. */
  readonly embedding: Uint8Array
  readonly layers: readonly {
    readonly gain: Float32Array
    readonly offset: Float32Array
    readonly weights: number
    readonly bias: Float32Array
  }[]
  /** Places in the memory of the kernel. */
  readonly attention: number
  readonly values: number
  readonly valueBias: Float32Array
  readonly bias: Float32Array
}

/** Loaded with the first text: a process that reads none needs no memory for it. */
const openNetwork = once(() => {
  const memory = new WebAssembly.Memory({ initial: 160, maximum: 1024 })
  const module = new WebAssembly.Module(readFileSync(kernelPath))
  const { exports } = new WebAssembly.Instance(module, { lab: { memory } })
  const multiply = exports.multiply as (...values: number[]) => void
  const numbers = new Float32Array(memory.buffer)
  let used = 16
  const allocate = (length: number) => {
    const at = used
    used += Math.ceil(length / 4) * 4
    if (used > numbers.length) throw new Error('The network needs more memory than it was given.')
    return at
  }
  const bytes = readFileSync(weightsPath)
  let read = 0
  const takeBytes = (length: number) => {
    const part = new Uint8Array(bytes.buffer, bytes.byteOffset + read, length)
    read += length
    return part
  }
  const takeNumbers = (length: number) => new Float32Array(takeBytes(length * 4).slice().buffer)
  const takeIntoMemory = (length: number) => {
    const at = allocate(length)
    numbers.set(takeNumbers(length), at)
    return at
  }
  const models = seeds.map(
    (seed): Model => ({
      seed,
      scales: takeBytes(buckets),
      embedding: takeBytes((buckets * size) / 2),
      layers: dilations.map(() => ({
        gain: takeNumbers(size),
        offset: takeNumbers(size),
        weights: takeIntoMemory(width * size * size * 2),
        bias: takeNumbers(size * 2),
      })),
      attention: takeIntoMemory(size * COLUMNS),
      values: takeIntoMemory(size * COLUMNS),
      valueBias: takeNumbers(COLUMNS),
      bias: takeNumbers(COLUMNS),
    }),
  )
  const rows = MAX_ROWS + 2 * PADDING
  const x = allocate(rows * size)
  const normal = allocate(rows * size)
  const hidden = allocate(rows * size * 2)
  const weightsOfTokens = allocate(rows * COLUMNS)
  const valuesOf = models.map(() => allocate(rows * COLUMNS))
  const steps = Float32Array.from({ length: 256 }, (_, byte) => scaleOf(byte))

  /** The mean of the vectors of its features, for each model. */
  const vectors = new LRUCache<string, Float32Array>({ max: MAX_CACHED_WORDS })
  function vectorOf(token: string, next: string): Float32Array {
    const key = isSyllable(token) && isSyllable(next) ? token + next : token
    const known = vectors.get(key)
    if (known) return known
    const features = featuresOfToken(token, next)
    const vector = new Float32Array(models.length * size)
    for (let m = 0; m < models.length; m++) {
      const { seed, scales, embedding } = models[m] as Model
      const rowsOfToken = new Set<number>()
      for (const feature of features) rowsOfToken.add(hashFeature(feature, seed) & (buckets - 1))
      for (const row of rowsOfToken) {
        const scale = (steps[scales[row] as number] as number) / rowsOfToken.size
        const first = (row * size) / 2
        for (let i = 0, at = m * size; i < size / 2; i++, at += 2) {
          const byte = embedding[first + i] as number
          vector[at] = (vector[at] as number) + ((byte & 15) - 8) * scale
          vector[at + 1] = (vector[at + 1] as number) + ((byte >> 4) - 8) * scale
        }
      }
    }
    vectors.set(key, vector)
    return vector
  }

  const product = (count: number, a: number, inner: number, b: number, outer: number, c: number) =>
    multiply(count, inner, outer, a * 4, inner * 4, 4, b * 4, outer * 4, c * 4, outer * 4)

  /** One layer: neighbours through gates, added to what the token is. */
  function convolve({ gain, offset, weights, bias }: Model['layers'][number], dilation: number, count: number): void {
    numbers.fill(0, normal, normal + (count + 2 * PADDING) * size)
    for (let r = 0; r < count; r++) {
      const from = x + (r + PADDING) * size
      let mean = 0
      for (let i = 0; i < size; i++) mean += numbers[from + i] as number
      mean /= size
      let variance = 0
      for (let i = 0; i < size; i++) variance += ((numbers[from + i] as number) - mean) ** 2
      const inverse = 1 / Math.sqrt(variance / size + 1e-5)
      const to = normal + (r + PADDING) * size
      for (let i = 0; i < size; i++)
        numbers[to + i] = ((numbers[from + i] as number) - mean) * inverse * (gain[i] as number) + (offset[i] as number)
    }
    for (let r = 0; r < count; r++) numbers.set(bias, hidden + r * size * 2)
    for (let o = 0; o < width; o++) {
      const shift = (o - (width - 1) / 2) * dilation
      product(count, normal + (PADDING + shift) * size, size, weights + o * size * size * 2, size * 2, hidden)
    }
    for (let r = 0; r < count; r++) {
      const from = hidden + r * size * 2
      const to = x + (r + PADDING) * size
      for (let i = 0; i < size; i++)
        numbers[to + i] =
          (numbers[to + i] as number) +
          (numbers[from + i] as number) / (1 + Math.exp(-(numbers[from + size + i] as number)))
    }
  }

  /** Leaves in memory what each token of `from` to `to` says of each label, and with what weight. */
  function readTokens(model: Model, m: number, tokens: readonly Token[], from: number, to: number): void {
    const count = to - from
    numbers.fill(0, x, x + (count + 2 * PADDING) * size)
    for (let t = 0; t < count; t++) {
      const vector = vectorOf((tokens[from + t] as Token).text, tokens[from + t + 1]?.text ?? '')
      const at = x + (t + PADDING) * size
      for (let i = 0; i < size; i++) numbers[at + i] = vector[m * size + i] as number
    }
    for (const [index, layer] of model.layers.entries()) convolve(layer, dilations[index] as number, count)
    const values = valuesOf[m] as number
    numbers.fill(0, weightsOfTokens, weightsOfTokens + count * COLUMNS)
    for (let t = 0; t < count; t++) numbers.set(model.valueBias, values + t * COLUMNS)
    product(count, x + PADDING * size, size, model.attention, COLUMNS, weightsOfTokens)
    product(count, x + PADDING * size, size, model.values, COLUMNS, values)
    for (let at = weightsOfTokens; at < weightsOfTokens + count * COLUMNS; at++)
      numbers[at] = Math.exp(Math.min(numbers[at] as number, 60))
  }

  /** `clauses` stand one behind the other; what is read of them is added to the scores. */
  function readWindow(
    tokens: readonly Token[],
    clauses: readonly Clause[],
    clauseScores: Float32Array[],
    tokenScores: (Float32Array | undefined)[],
    whole: Whole,
  ): void {
    const first = (clauses[0] as Clause).from
    const last = (clauses.at(-1) as Clause).to
    const start = Math.max(0, first - REACH)
    const end = Math.min(tokens.length, last + REACH)
    const share = 1 / models.length
    const sums = new Float64Array(FIRST_OFFER)
    const totals = new Float64Array(FIRST_OFFER)
    const scoresOf = clauses.map(() => new Float32Array(LABEL_COUNT))
    models.forEach((model, m) => {
      readTokens(model, m, tokens, start, end)
      const values = valuesOf[m] as number
      clauses.forEach(({ from, to }, c) => {
        sums.fill(0)
        totals.fill(0)
        for (let t = from - start; t < to - start; t++)
          for (let l = 0, at = t * COLUMNS; l < FIRST_OFFER; l++, at++) {
            const weight = numbers[weightsOfTokens + at] as number
            sums[l] = (sums[l] as number) + weight
            totals[l] = (totals[l] as number) + weight * (numbers[values + at] as number)
          }
        const scores = scoresOf[c] as Float32Array
        for (let l = 0; l < FIRST_OFFER; l++) {
          const mean = (totals[l] as number) / ((sums[l] as number) + 1e-30)
          scores[l] = (scores[l] as number) + share * (ATTENTION_GAIN * mean + (model.bias[l] as number))
        }
      })
      for (let o = 0; o < OFFER_COUNT; o++) {
        const at = m * OFFER_COUNT + o
        for (let t = first - start; t < last - start; t++) {
          const place = t * COLUMNS + FIRST_OFFER + o
          const weight = numbers[weightsOfTokens + place] as number
          whole.sums[at] = (whole.sums[at] as number) + weight
          whole.totals[at] =
            (whole.totals[at] as number) + weight * (numbers[(valuesOf[m] as number) + place] as number)
        }
      }
    })
    clauses.forEach(({ from, to }, c) => {
      const scores = scoresOf[c] as Float32Array
      if (isRunOn(tokens, { from, to }))
        for (let l = 0; l < DEFECT_COUNT; l++) scores[l] = Math.min(scores[l] as number, MAX_OF_RUN_ON)
      for (let l = 0; l < FIRST_OFFER; l++) scores[l] = calibrated(scores[l] as number, l)
      clauseScores.push(scores)
      if (!mayStateDefect(scores)) return
      for (let t = from; t < to; t++) tokenScores[t] = scoresOfToken(t - start)
    })
  }

  function scoresOfToken(row: number): Float32Array {
    const scores = new Float32Array(TOKEN_LABELS)
    for (const values of valuesOf)
      for (let l = 0; l < TOKEN_LABELS; l++)
        scores[l] = (scores[l] as number) + (numbers[values + row * COLUMNS + l] as number) / models.length
    return scores
  }

  /** What all windows together say of the kind of offer. */
  function offersOf({ sums, totals }: Whole): Float32Array {
    const offers = new Float32Array(OFFER_COUNT)
    models.forEach(({ bias }, m) => {
      for (let o = 0; o < OFFER_COUNT; o++) {
        const at = m * OFFER_COUNT + o
        const mean = (totals[at] as number) / ((sums[at] as number) + 1e-30)
        offers[o] = (offers[o] as number) + (ATTENTION_GAIN * mean + (bias[FIRST_OFFER + o] as number)) / models.length
      }
    })
    return offers.map((logOdds, o) => calibrated(logOdds, FIRST_OFFER + o))
  }
  return { readWindow, offersOf }
})

/** Of the tokens read so far, by network and kind of offer. */
type Whole = { readonly sums: Float64Array; readonly totals: Float64Array }

function mayStateDefect(scores: Float32Array): boolean {
  for (let l = 0; l < TOKEN_LABELS; l++) if ((scores[l] as number) >= LEAST_STATED) return true
  return false
}

/** Clauses as far as they are read: signs alone may make one as long as the text. */
function readPartOf(tokens: readonly Token[], { from, to }: Clause): Clause {
  if (to - from <= MAX_CLAUSE) return { from, to }
  let word = from
  while (word < to - 1 && !/^[\p{L}\p{N}]/u.test((tokens[word] as Token).text)) word++
  const first = Math.max(from, word - REACH)
  return { from: first, to: Math.min(to, first + MAX_CLAUSE) }
}

/** Yields between windows. */
export function* scoreClauses(tokens: readonly Token[], clauses: readonly Clause[]): TimeSliced<Scores> {
  if (tokens.length === 0) return { clauses: [], tokens: [], offers: new Float32Array(OFFER_COUNT) }
  const { readWindow, offersOf } = openNetwork()
  const whole: Whole = {
    sums: new Float64Array(seeds.length * OFFER_COUNT),
    totals: new Float64Array(seeds.length * OFFER_COUNT),
  }
  const clauseScores: Float32Array[] = []
  const tokenScores: (Float32Array | undefined)[] = []
  for (let from = 0; from < clauses.length; ) {
    const first = readPartOf(tokens, clauses[from] as Clause)
    const window = [first]
    for (let to = from + 1; to < clauses.length; to++) {
      const next = readPartOf(tokens, clauses[to] as Clause)
      // Of a clause that is too long not all is read: it starts a window of its own.
      if (next.to - first.from > WINDOW || next.from !== window.at(-1)?.to) break
      window.push(next)
    }
    readWindow(tokens, window, clauseScores, tokenScores, whole)
    from += window.length
    if (from < clauses.length) yield
  }
  return { clauses: clauseScores, tokens: tokenScores, offers: offersOf(whole) }
}
