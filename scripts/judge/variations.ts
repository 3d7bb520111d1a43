import type { DeviceFacts, Observation } from '../../src/pricing/engine/observation.ts'
import type { PriceSet } from './price-set.ts'
import { foldRounds, futureRound, hiddenRounds, quantileMoment, type Round, shuffled } from './splits.ts'

/** A set changed in one way, as an unknown market might differ from the known ones, and how it is then judged. */
export type Variation = {
  readonly name: string
  readonly set: PriceSet
  readonly rounds: readonly Round[]
}

/** More rows, or more hidden groups, than this say the same in more time. */
const MOST_ROWS = 2_500
const MOST_ROUNDS = 40
/** A market of fewer rows, or a split that leaves fewer to foretell, says nothing. */
const LEAST_ROWS = 30

const withRows = (set: PriceSet, observations: readonly Observation[]): PriceSet => ({ ...set, observations })

const withDevices = (set: PriceSet, change: (device: DeviceFacts) => DeviceFacts): PriceSet => ({
  ...set,
  devices: set.devices.map(change),
})

function share(set: PriceSet, part: number, seed = 7): PriceSet {
  return withRows(set, shuffled(set.observations, seed).slice(0, Math.ceil(set.observations.length * part)))
}

/** The value most rows have. */
function commonest(set: PriceSet, of: (row: Observation) => string): string {
  const counts = new Map<string, number>()
  for (const row of set.observations) counts.set(of(row), (counts.get(of(row)) ?? 0) + 1)
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ['', 0])[0]
}

/** Prices as another currency would have them. */
const scaled = (set: PriceSet, factor: number): PriceSet => ({
  ...withDevices(set, (device) => ({
    ...device,
    variants: device.variants.map((v) => ({ ...v, listCents: v.listCents && v.listCents * factor })),
  })),
  observations: set.observations.map((row) => ({ ...row, cents: Math.max(1, Math.round(row.cents * factor)) })),
})

/** One row in twenty is of something else: a box, a bundle, a typing error. Only honest rows are foretold. */
function junkRounds(set: PriceSet): Round[] {
  const factors = [0.01, 0.1, 0.25, 3, 10]
  return foldRounds(set.observations).map(({ train, test, now }) => ({
    train: train.map((row, at) =>
      at % 20 ? row : { ...row, cents: Math.max(1, Math.round(row.cents * (factors[(at / 20) % 5] as number))) },
    ),
    test,
    now,
  }))
}

const some = (rounds: readonly Round[]) => shuffled(rounds, 3).slice(0, MOST_ROUNDS)

/** All variations a set can bear. */
export function variationsOf(whole: PriceSet): Variation[] {
  const set = whole.observations.length > MOST_ROWS ? share(whole, MOST_ROWS / whole.observations.length) : whole
  const tenth = share(set, 0.1)
  const label = commonest(set, (row) => row.label)
  const oneGrade = withRows(
    set,
    set.observations.filter((row) => row.label === label),
  )
  const deviceOf = new Map(set.devices.flatMap((d) => d.variants.map((v) => [v.variantId, d.deviceId])))
  const device = commonest(set, (row) => deviceOf.get(row.variantId) ?? '')
  const oneDevice = withRows(
    set,
    set.observations.filter((row) => deviceOf.get(row.variantId) === device),
  )
  const unlisted = withDevices(set, (one) => ({
    ...one,
    releasedAt: null,
    variants: one.variants.map((v) => ({ ...v, listCents: null })),
  }))
  const fold = (name: string, one: PriceSet): Variation => ({ name, set: one, rounds: foldRounds(one.observations) })
  const future = (part: number): Variation => ({
    name: `future from ${part}`,
    set,
    rounds: futureRound(set.observations, quantileMoment(set.observations, part)),
  })
  const hidden = (name: string, one: PriceSet, what: 'variant' | 'model'): Variation => ({
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
      rounds.reduce((sum, { test }) => sum + test.length, 0) >= LEAST_ROWS,
  )
}
