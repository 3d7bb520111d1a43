import type { DeviceInput, Observation } from '../../src/pricing/model/observation.ts'
import type { PriceDataset } from './price-set.ts'
import { type EvaluationRound, foldRounds, futureRound, hiddenRounds, quantileMoment, shuffled } from './splits.ts'

/** A set changed in one way, as an unknown market might differ from the known ones, and how it is then judged. */
export type StressVariation = {
  readonly name: string
  readonly set: PriceDataset
  readonly rounds: readonly EvaluationRound[]
}

/** More rows, or more hidden groups, than this say the same in more time. */
const MAX_ROWS = 2_500
const MAX_ROUNDS = 40
/** A market of fewer rows, or a split that leaves fewer to foretell, says nothing. */
const MIN_ROWS = 30

const withRows = (set: PriceDataset, observations: readonly Observation[]): PriceDataset => ({ ...set, observations })

const withDevices = (set: PriceDataset, change: (device: DeviceInput) => DeviceInput): PriceDataset => ({
  ...set,
  devices: set.devices.map(change),
})

function share(set: PriceDataset, part: number, seed = 7): PriceDataset {
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

/** One row in twenty is of something else: a box, a bundle, a typing error. Only honest rows are foretold. */
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

const some = (rounds: readonly EvaluationRound[]) => shuffled(rounds, 3).slice(0, MAX_ROUNDS)

/** All variations a set can bear. */
export function variationsOf(whole: PriceDataset): StressVariation[] {
  const set = whole.observations.length > MAX_ROWS ? share(whole, MAX_ROWS / whole.observations.length) : whole
  const tenth = share(set, 0.1)
  const label = mostFrequent(set, (row) => row.label)
  const oneGrade = withRows(
    set,
    set.observations.filter((row) => row.label === label),
  )
  const deviceOf = new Map(set.devices.flatMap((d) => d.variants.map((v) => [v.variantId, d.deviceId])))
  const device = mostFrequent(set, (row) => deviceOf.get(row.variantId) ?? '')
  const oneDevice = withRows(
    set,
    set.observations.filter((row) => deviceOf.get(row.variantId) === device),
  )
  const unlisted = withDevices(set, (one) => ({
    ...one,
    releasedAt: null,
    variants: one.variants.map((v) => ({ ...v, listCents: null })),
  }))
  const fold = (name: string, one: PriceDataset): StressVariation => ({
    name,
    set: one,
    rounds: foldRounds(one.observations),
  })
  const future = (part: number): StressVariation => ({
    name: `future from ${part}`,
    set,
    rounds: futureRound(set.observations, quantileMoment(set.observations, part)),
  })
  const hidden = (name: string, one: PriceDataset, what: 'variant' | 'model'): StressVariation => ({
    name,
    set: one,
    rounds: some(hiddenRounds(one, one.observations, what)),
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
