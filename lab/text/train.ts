/** Trains the network of the reader: `npm run lab -- text train`. The same seed and corpus give the same weights. */
import { DEFECT_COUNT, FIRST_OFFER, LABELS } from '../../src/text/labels.ts'
import { isOffer, type LabelledText } from './corpus.ts'
import { openMatrices } from './matrix-kernel.ts'
import { createNetwork, type Network, type Sample, type Shape } from './network.ts'
import { featureHasher, namePiece, type Piece, runTogether, toPiece } from './samples.ts'

export type Training = {
  readonly shape: Shape
  readonly seed: number
  readonly epochs: number
  readonly rate: number
  /** Times the rate for the vectors of features: most are seen seldom and have to learn fast. */
  readonly featureRate: number
  readonly decay: number
  readonly drop: number
  readonly batch: number
  /** How often whole ads are seen in an epoch. */
  readonly repeatAds: number
  /** Extra weight of a statement that is there, for there are few. */
  readonly positive: number
  /** Weight of details beside defects and kinds of offer. */
  readonly detail: number
  /** Weight of the kind of offer: there is one of a text. */
  readonly offer: number
  /** Share of tokens that lose some of their features, so that no statement hangs on one spelling. */
  readonly blur: number
}

export const TRAINING: Training = {
  shape: { buckets: 1 << 16, size: 64, width: 5, dilations: [1, 2], labels: LABELS.length, wholeFrom: FIRST_OFFER },
  seed: 1,
  epochs: 4,
  rate: 2e-3,
  featureRate: 5,
  decay: 0.02,
  drop: 0.15,
  batch: 32,
  repeatAds: 2,
  positive: 0.5,
  detail: 0.8,
  offer: 4,
  blur: 0.2,
}

/** Mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Weight of the words of a statement beside the statement itself. */
const TOKEN_WEIGHT = 3

const SEPARATORS = [',', '.', ',', '\n', '.', ',', '-', '/'].map((text) => ({ text, from: 0, to: 1 }))

/** Of every third short text one that runs together with others of its language. */
function runOnTexts(examples: readonly LabelledText[], random: () => number): LabelledText[] {
  const short = Map.groupBy(
    examples.filter((example) => isOffer(example) && example.text.length < 90 && !example.text.includes('\n')),
    ({ language }) => language,
  )
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  return [...short.values()].flatMap((texts) =>
    texts
      .filter(() => random() < RUN_ON_SHARE)
      .flatMap((text) => {
        const others = Array.from({ length: pick([1, 2, 2, 3]) }, () => pick(texts))
        return (
          runTogether(
            [...others, text].sort(() => random() - 0.5),
            random(),
          ) ?? []
        )
      }),
  )
}
const RUN_ON_SHARE = 0.3

/** Sites and sellers drop the signs of a text. Marks keep their places. */
const withoutPunctuation = (example: LabelledText): LabelledText => ({
  ...example,
  text: example.text.replace(/[.,;:!?()\n•*–—-]/g, ' '),
})
const UNPUNCTUATED_SHARE = 0.1
const MAX_TERSE_TOKENS = 5

/** `names`: titles of devices, which stand before statements. */
export async function train(
  examples: readonly LabelledText[],
  names: readonly string[],
  training: Training,
  log: (line: string) => void,
): Promise<Network> {
  const { shape, epochs, batch, drop } = training
  const random = randomFrom(training.seed)
  const matrices = await openMatrices(256)
  const hasher = featureHasher(shape.buckets, training.seed)
  const pieces = [...examples, ...runOnTexts(examples, random)].map((example) =>
    toPiece(random() < UNPUNCTUATED_SHARE ? withoutPunctuation(example) : example, hasher),
  )
  const starts = startingLogOdds(pieces)
  const network = createNetwork(shape, matrices, random, (label) => starts[label] ?? LEAST_LOG_ODDS)
  const separators = SEPARATORS.map((token) => hasher([token])[0] as Int32Array)
  const byLanguage = (list: readonly Piece[]) => Map.groupBy(list, ({ language }) => language)
  const sentences = byLanguage(pieces.filter(({ isShort, isOffer }) => isShort && isOffer))
  const plainFaults = byLanguage(
    pieces.filter(({ isPlainFault, hasDefect, isOffer }) => isPlainFault && hasDefect && isOffer),
  )
  const terseOf = byLanguage(
    pieces.filter(
      ({ isShort, isOffer, features, clauses }) =>
        isShort && isOffer && features.length <= MAX_TERSE_TOKENS && clauses.length === 1,
    ),
  )
  const titles = names.map((name) => namePiece(name, hasher))
  /** A piece among terse others, with an IMEI now and then. */
  const listed = (piece: Piece, terse: readonly Piece[]): Piece[] => {
    const others = Array.from({ length: pick([1, 2, 2, 3]) }, () => pick(terse))
    const number = String(Math.floor(1e14 + random() * 8e14))
    const imei = random() < 0.15 ? [namePiece(`IMEI ${number}`, hasher)] : []
    return [...others, piece].sort(() => random() - 0.5).concat(imei)
  }
  const short = pieces.filter(({ isShort }) => isShort)
  const long = pieces.filter(({ isShort }) => !isShort)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const { columns } = network
  const weights = new Float32Array(LABELS.length).map((_, l) =>
    l < DEFECT_COUNT ? 1 : l < 2 * DEFECT_COUNT ? 0.3 : l < FIRST_OFFER ? training.detail : training.offer,
  )

  /** Several pieces as one text, each with its own statements. A name may be part of the first clause behind it. */
  const join = (parts: readonly Piece[], isNameGlued: boolean): Sample => {
    const tokens: Int32Array[] = []
    const clauses: [number, number, number][] = []
    parts.forEach((part, index) => {
      const at = tokens.length
      const isGlued = isNameGlued && index === 1
      for (const features of part.features) tokens.push(random() < training.blur ? blurred(features, random) : features)
      part.clauses.forEach(([from, to], c) => {
        const glued = isGlued && c === 0 ? clauses.pop() : undefined
        clauses.push([glued ? glued[0] : at + from, at + to, index])
      })
      if (index < parts.length - 1 && !(isNameGlued && index === 0)) {
        tokens.push(pick(separators))
        ;(clauses.at(-1) as [number, number, number])[1] = tokens.length
      }
    })
    return { tokens, clauses, parts: parts.length }
  }

  type Composition = { readonly parts: readonly Piece[]; readonly isNameGlued: boolean }
  const compose = (piece: Piece): Composition => {
    if (!piece.isOffer) {
      const isNamed = piece.isShort && titles.length > 0 && random() < 0.25
      return { parts: isNamed ? [pick(titles), piece] : [piece], isNameGlued: isNamed && random() < 0.7 }
    }
    if (!piece.isShort) {
      const faults = plainFaults.get(piece.language)
      const isFaultAdded = !piece.hasDefect && faults && random() < 0.35
      return { parts: isFaultAdded ? [piece, pick(faults)] : [piece], isNameGlued: false }
    }
    const choice = random()
    if (choice < 0.3) return { parts: [piece], isNameGlued: false }
    // Titles: "iPhone 13 kaputt"; "iPhone 13 128GB Blue, kaputt, Akku 81 %".
    if (choice < 0.65 && titles.length > 0) {
      const terse = terseOf.get(piece.language) ?? [piece]
      const faults = choice < 0.5 ? [random() < 0.5 ? pick(terse) : piece] : listed(piece, terse)
      return { parts: [pick(titles), ...faults], isNameGlued: random() < (choice < 0.5 ? 0.7 : 0.3) }
    }
    const others = Array.from({ length: pick([1, 2, 3, 5]) }, () => pick(sentences.get(piece.language) as Piece[]))
    const at = Math.floor(random() * (others.length + 1))
    const joined = [...others.slice(0, at), piece, ...others.slice(at)]
    return { parts: titles.length > 0 && random() < 0.3 ? [pick(titles), ...joined] : joined, isNameGlued: false }
  }

  // Half of the short texts a time: the other half comes along with them.
  const length = Math.ceil(short.length / 2) + long.length * training.repeatAds
  const steps = epochs * Math.ceil(length / batch)
  let step = 0
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(short, random)
    const pool = [
      ...short.slice(0, Math.ceil(short.length / 2)),
      ...Array.from({ length: training.repeatAds }, () => long).flat(),
    ]
    shuffle(pool, random)
    let total = 0
    const started = performance.now()
    for (let from = 0; from < pool.length; from += batch) {
      const composed = pool.slice(from, from + batch).map(compose)
      const parts = composed.flatMap((composition) => composition.parts)
      const samples = composed.map((composition) => join(composition.parts, composition.isNameGlued))
      const pass = network.forward(samples, drop)
      const textGradient = new Float32Array(parts.length * columns)
      const clauseGradient = new Float32Array(pass.clauseText.length * columns)
      const wholeGradient = new Float32Array(samples.length * columns)
      let loss = 0
      const scale = 1 / composed.length
      const add = (
        z: Float32Array,
        gradient: Float32Array,
        at: number,
        states: Float32Array,
        isKnown: Float32Array,
        weight: number,
        first = 0,
        last = FIRST_OFFER,
      ) => {
        for (let l = first; l < last; l++) {
          if (!isKnown[l]) continue
          const target = (states[l] as number) * 0.985 + 0.003
          const p = 1 / (1 + Math.exp(-(z[at + l] as number)))
          const w = (weights[l] as number) * weight * (1 + training.positive * (states[l] as number))
          loss -= w * (target * Math.log(p + 1e-9) + (1 - target) * Math.log(1 - p + 1e-9))
          gradient[at + l] = (gradient[at + l] as number) + w * (p - target) * scale
        }
      }
      let index = 0
      let clause = 0
      composed.forEach(({ parts: ofText, isNameGlued }, text) => {
        let row = pass.firstRows[text] as number
        const whole = ofText.find(({ isOffer }) => !isOffer) ?? (ofText[0] as Piece)
        add(pass.wholeZ, wholeGradient, text * columns, whole.states, whole.isKnown, 1, FIRST_OFFER, LABELS.length)
        ofText.forEach((part, position) => {
          // A name that is part of another clause has none of its own.
          if (!(isNameGlued && position === 0)) {
            add(pass.textZ, textGradient, index * columns, part.states, part.isKnown, 1)
            part.clauses.forEach((_, c) => {
              const states = part.clauseStates[c]
              const isKnown = part.clauseKnown[c]
              if (states && isKnown) add(pass.clauseZ, clauseGradient, clause * columns, states, isKnown, 0.5)
              clause++
            })
          }
          if (part.tokenLabels)
            for (let t = 0; t < part.tokenLabels.length; t++) {
              const labels = part.tokenLabels[t] as readonly number[]
              const at = (row + t) * columns
              for (let l = 0; l < part.markedLabels; l++) {
                const z = pass.tokenZ[at + l] as number
                const isStated = labels.length > 0 && labels.includes(l)
                if (!isStated && z < -6) continue
                const target = isStated ? 0.97 : 0.003
                const w = ((weights[l] as number) * TOKEN_WEIGHT * (isStated ? 3 : 1)) / 8
                pass.tokenGradient[at + l] = w * (1 / (1 + Math.exp(-z)) - target) * scale
              }
            }
          row += part.features.length + (isNameGlued && position === 0 ? 0 : 1)
          index++
        })
      })
      network.backward(pass, textGradient, clauseGradient, wholeGradient)
      const progress = step / steps
      const rate =
        training.rate *
        (progress < 0.1 ? progress / 0.1 : Math.max(0.01, (1 + Math.cos((Math.PI * (progress - 0.1)) / 0.9)) / 2))
      network.update(rate, training.featureRate, training.decay, 1)
      step++
      total += loss * scale
    }
    log(
      `epoch ${epoch + 1} of ${epochs}: loss ${(total / Math.ceil(pool.length / batch)).toFixed(3)}, ${Math.round((performance.now() - started) / 1000)} s`,
    )
  }
  return network
}

const LEAST_LOG_ODDS = -7

/** How likely a clause, or a text for kinds of offer, states a label, as far as the labels say. */
function startingLogOdds(pieces: readonly Piece[]): Float32Array {
  const stated = new Float32Array(LABELS.length)
  const known = new Float32Array(LABELS.length)
  for (const { states, isKnown, clauses } of pieces)
    for (let l = 0; l < LABELS.length; l++) {
      if (!isKnown[l]) continue
      stated[l] = (stated[l] as number) + (states[l] as number)
      known[l] = (known[l] as number) + (l < FIRST_OFFER ? clauses.length : 1)
    }
  return stated.map((count, l) => Math.max(LEAST_LOG_ODDS, Math.log((count + 1) / ((known[l] as number) + 1))))
}

/** Some of the features of a token, at least one. */
function blurred(features: Int32Array, random: () => number): Int32Array {
  const kept = features.filter(() => random() < 0.5)
  return kept.length > 0 ? kept : features
}

function shuffle<T>(list: T[], random: () => number): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[list[i], list[j]] = [list[j] as T, list[i] as T]
  }
}
