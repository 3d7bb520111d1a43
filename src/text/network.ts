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
import type { Clause } from './clauses.ts'
import { featuresOfToken, hashFeature } from './features.ts'
import { DEFECT_COUNT, FIRST_OFFER, LABELS } from './labels.ts'
import { scaleOf } from './quantization.ts'
import { isSyllable, type Token } from './text-tokens.ts'

/** Log-odds by label: of each clause, of each token for the labels of defects, and of the text for the kinds of offer. */
export type Scores = {
  readonly offers: Float32Array
  readonly clauses: readonly Float32Array[]
  readonly tokens: readonly Float32Array[]
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
/** A text is read in stretches of whole clauses of about so many tokens. */
const STRETCH = 256
const MAX_CACHED_WORDS = 8_000

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
  const rows = 2 * STRETCH + 2 * PADDING
  const x = allocate(rows * size)
  const normal = allocate(rows * size)
  const hidden = allocate(rows * size * 2)
  const attention = allocate(rows * COLUMNS)
  const values = allocate(rows * COLUMNS)

  /** The mean of the vectors of its features, for each model. */
  const vectors = new LRUCache<string, Float32Array>({ max: MAX_CACHED_WORDS })
  function vectorOf(token: string, next: string): Float32Array {
    const key = isSyllable(token) && isSyllable(next) ? token + next : token
    const known = vectors.get(key)
    if (known) return known
    const features = featuresOfToken(token, next)
    const vector = new Float32Array(models.length * size)
    models.forEach(({ seed, scales, embedding }, m) => {
      const rowsOfToken = new Set(features.map((feature) => hashFeature(feature, seed) & (buckets - 1)))
      for (const row of rowsOfToken) {
        const scale = scaleOf(scales[row] as number) / rowsOfToken.size
        for (let i = 0; i < size; i += 2) {
          const byte = embedding[(row * size + i) / 2] as number
          const at = m * size + i
          vector[at] = (vector[at] as number) + ((byte & 15) - 8) * scale
          vector[at + 1] = (vector[at + 1] as number) + ((byte >> 4) - 8) * scale
        }
      }
    })
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

  const attentionOf = (t: number, label: number) =>
    Math.exp(Math.min(numbers[attention + t * COLUMNS + label] as number, 60))

  function readStretch(
    tokens: readonly Token[],
    clauses: readonly Clause[],
    clauseScores: Float32Array[],
    tokenScores: Float32Array[],
    whole: Whole,
  ): void {
    const start = (clauses[0] as Clause).from
    const length = (clauses.at(-1) as Clause).to - start
    // Only a clause of signs alone is longer.
    const count = Math.min(length, 2 * STRETCH)
    const share = 1 / models.length
    const ofClauses = clauses.map(() => new Float32Array(LABEL_COUNT))
    const ofTokens = Array.from({ length }, () => new Float32Array(TOKEN_LABELS))
    models.forEach((model, m) => {
      numbers.fill(0, x, x + (count + 2 * PADDING) * size)
      for (let t = 0; t < count; t++) {
        const token = tokens[start + t] as Token
        const vector = vectorOf(token.text, tokens[start + t + 1]?.text ?? '')
        numbers.set(vector.subarray(m * size, (m + 1) * size), x + (t + PADDING) * size)
      }
      for (const [index, layer] of model.layers.entries()) convolve(layer, dilations[index] as number, count)
      numbers.fill(0, attention, attention + count * COLUMNS)
      for (let t = 0; t < count; t++) numbers.set(model.valueBias, values + t * COLUMNS)
      product(count, x + PADDING * size, size, model.attention, COLUMNS, attention)
      product(count, x + PADDING * size, size, model.values, COLUMNS, values)
      clauses.forEach((clause, c) => {
        const from = clause.from - start
        const to = Math.min(clause.to - start, count)
        const scores = ofClauses[c] as Float32Array
        for (let l = 0; l < FIRST_OFFER; l++) {
          let sum = 0
          let total = 0
          for (let t = from; t < to; t++) {
            const weight = attentionOf(t, l)
            sum += weight
            total += weight * (numbers[values + t * COLUMNS + l] as number)
          }
          const mean = total / (sum + 1e-30)
          scores[l] = (scores[l] as number) + share * (ATTENTION_GAIN * mean + (model.bias[l] as number))
        }
      })
      for (let o = 0; o < OFFER_COUNT; o++) {
        const at = m * OFFER_COUNT + o
        for (let t = 0; t < count; t++) {
          const weight = attentionOf(t, FIRST_OFFER + o)
          whole.sums[at] = (whole.sums[at] as number) + weight
          whole.totals[at] =
            (whole.totals[at] as number) + weight * (numbers[values + t * COLUMNS + FIRST_OFFER + o] as number)
        }
      }
      for (let t = 0; t < count; t++) {
        const scores = ofTokens[t] as Float32Array
        for (let l = 0; l < TOKEN_LABELS; l++)
          scores[l] = (scores[l] as number) + share * (numbers[values + t * COLUMNS + l] as number)
      }
    })
    for (const scores of ofClauses) for (let l = 0; l < FIRST_OFFER; l++) scores[l] = calibrated(scores[l] as number, l)
    clauseScores.push(...ofClauses)
    tokenScores.push(...ofTokens)
  }

  /** What all stretches together say of the kind of offer. */
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
  return { readStretch, offersOf }
})

/** Of the tokens read so far, by network and kind of offer. */
type Whole = { readonly sums: Float64Array; readonly totals: Float64Array }

/** Yields between stretches of a long text. */
export function* scoreClauses(tokens: readonly Token[], clauses: readonly Clause[]): Generator<void, Scores, void> {
  const { readStretch, offersOf } = openNetwork()
  const whole: Whole = {
    sums: new Float64Array(seeds.length * OFFER_COUNT),
    totals: new Float64Array(seeds.length * OFFER_COUNT),
  }
  const clauseScores: Float32Array[] = []
  const tokenScores: Float32Array[] = []
  for (let from = 0; from < clauses.length; ) {
    let to = from + 1
    while (to < clauses.length && (clauses[to] as Clause).to - (clauses[from] as Clause).from <= STRETCH) to++
    readStretch(tokens, clauses.slice(from, to), clauseScores, tokenScores, whole)
    from = to
    if (from < clauses.length) yield
  }
  return { clauses: clauseScores, tokens: tokenScores, offers: offersOf(whole) }
}
