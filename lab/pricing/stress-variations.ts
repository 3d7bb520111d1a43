import type { DeviceInput, Observation } from '../../src/pricing/model/observation.ts'
import type { PriceDataset } from './price-set.ts'
import { type EvaluationRound, foldRounds, futureRound, hiddenRounds, quantileMoment, shuffled } from './splits.ts'

/** A set changed in one way, as an unknown market might differ, and its evaluation rounds. */
export type StressVariation = {
  readonly name: string
  readonly set: PriceDataset
  readonly rounds: readonly EvaluationRound[]
}

/** More rows or hidden groups cost time without changing the result. */
const MAX_ROWS = 2_500
const MAX_ROUNDS = 40
/** Minimum test rows of a meaningful result. */
const MIN_ROWS = 30

const withRows = (set: PriceDataset, observations: readonly Observation[]): PriceDataset => ({ ...set, observations })

const withDevices = (set: PriceDataset, change: (device: DeviceInput) => DeviceInput): PriceDataset => ({
  ...set,
  devices: set.devices.map(change),
})

function sampleShare(set: PriceDataset, part: number, seed = 7): PriceDataset {
  return withRows(set, shuffled(set.observations, seed).slice(0, Math.ceil(set.observations.length * part)))
}

/** The value most rows have. */
function mostFrequent(set: PriceDataset, of: (row: Observation) => string): string {
  const counts = new Map<string, number>()
  for (const row of set.observations) counts.set(of(row), (counts.get(of(row)) ?? 0) + 1)
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ['', 0])[0]
}

/** Prices as another currency would have them. */
const scaled = (set: PriceDataset, factor: number): PriceDataset => ({
  ...withDevices(set, (device) => ({
    ...device,
    variants: device.variants.map((v) => ({ ...v, listCents: v.listCents && v.listCents * factor })),
  })),
  observations: set.observations.map((row) => ({ ...row, cents: Math.max(1, Math.round(row.cents * factor)) })),
})

/** One row in twenty is of something else: a box, a bundle, a typing error. Only genuine rows are predicted. */
function junkRounds(set: PriceDataset): EvaluationRound[] {
  const factors = [0.01, 0.1, 0.25, 3, 10]
  return foldRounds(set.observations).map(({ train, test, now }) => ({
    train: train.map((row, at) =>
      at % 20 ? row : { ...row, cents: Math.max(1, Math.round(row.cents * (factors[(at / 20) % 5] as number))) },
    ),
    test,
    now,
  }))
}

const sampleRounds = (rounds: readonly EvaluationRound[]) => shuffled(rounds, 3).slice(0, MAX_ROUNDS)

/** All variations that a set has enough rows for. */
export function variationsOf(whole: PriceDataset): StressVariation[] {
  const set = whole.observations.length > MAX_ROWS ? sampleShare(whole, MAX_ROWS / whole.observations.length) : whole
  const tenth = sampleShare(set, 0.1)
  const label = mostFrequent(set, (row) => row.label)
  const oneGrade = withRows(
    set,
    set.observations.filter((row) => row.label === label),
  )
  const deviceOf = new Map(set.devices.flatMap((d) => d.variants.map((v) => [v.variantId, d.deviceId])))
  const mostFrequentDevice = mostFrequent(set, (row) => deviceOf.get(row.variantId) ?? '')
  const oneDevice = withRows(
    set,
    set.observations.filter((row) => deviceOf.get(row.variantId) === mostFrequentDevice),
  )
  const unlisted = withDevices(set, (device) => ({
    ...device,
    releasedAt: null,
    variants: device.variants.map((v) => ({ ...v, listCents: null })),
  }))
  const fold = (name: string, dataset: PriceDataset): StressVariation => ({
    name,
    set: dataset,
    rounds: foldRounds(dataset.observations),
  })
  const future = (part: number): StressVariation => ({
    name: `future from ${part}`,
    set,
    rounds: futureRound(set.observations, quantileMoment(set.observations, part)),
  })
  const hidden = (name: string, dataset: PriceDataset, level: 'variant' | 'model'): StressVariation => ({
    name,
    set: dataset,
    rounds: sampleRounds(hiddenRounds(dataset, dataset.observations, level)),
  })
  return [
    fold('5-fold', set),
    fold('a tenth', tenth),
    fold('one grade', oneGrade),
    fold('one device', oneDevice),
    fold('no launch prices', unlisted),
    fold('prices x 100', scaled(set, 100)),
    { name: 'junk 1 in 20', set, rounds: junkRounds(set) },
    future(0.3),
    future(0.5),
    future(0.7),
    future(0.9),
    hidden('variant unseen', set, 'variant'),
    hidden('variant unseen, one grade', oneGrade, 'variant'),
    hidden('variant unseen, a tenth', tenth, 'variant'),
    hidden('model unseen', set, 'model'),
    hidden('model unseen, a tenth', tenth, 'model'),
  ].filter(
    ({ rounds }) =>
      rounds.length > 0 &&
      rounds.every(({ train }) => train.length > 0) &&
      rounds.reduce((sum, { test }) => sum + test.length, 0) >= MIN_ROWS,
  )
}
