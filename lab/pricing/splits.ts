import { DAY_MS } from '../../src/lib/time.ts'
import type { Observation } from '../../src/pricing/model/observation.ts'
import type { PriceDataset } from './price-set.ts'

/** One evaluation round: training rows, test rows, and the time of the prediction. */
export type EvaluationRound = {
  readonly train: readonly Observation[]
  readonly test: readonly Observation[]
  readonly now: number
}

/** Days on which sets of several years are sampled. */
export const HALF_YEARS = [2021, 2022, 2023, 2024].flatMap((year) => [`${year}-01-15`, `${year}-07-15`]).slice(0, -1)

const newest = (rows: readonly Observation[]) => rows.reduce((latest, row) => Math.max(latest, row.observedAt), 0)

/** The same shuffle on every run and machine, so that two measurements can be compared. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const result = [...items]
  let state = seed >>> 0
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1))
    ;[result[i], result[j]] = [result[j] as T, result[i] as T]
  }
  return result
}

/** Longer sets are evaluated period by period, because a listing is priced as of its own time. */
const ONE_PERIOD_DAYS = 120
const PERIOD_DAYS = 90

/** Predicts hidden rows as of the end of their period, from the other rows known by then. */
function roundsByPeriod(rows: readonly Observation[], isHidden: (row: Observation) => boolean): EvaluationRound[] {
  const last = newest(rows)
  const oldest = rows.reduce((first, row) => Math.min(first, row.observedAt), last)
  const isOnePeriod = last - oldest <= ONE_PERIOD_DAYS * DAY_MS
  const periodOf = (row: Observation) =>
    isOnePeriod ? 0 : Math.floor((last - row.observedAt) / (PERIOD_DAYS * DAY_MS))
  const train = rows.filter((row) => !isHidden(row))
  const ends = new Map([...Map.groupBy(rows, periodOf)].map(([period, periodRows]) => [period, newest(periodRows)]))
  return [...Map.groupBy(rows.filter(isHidden), periodOf)].map(([period, test]) => {
    const now = ends.get(period) as number
    return { train: period === 0 ? train : train.filter((row) => row.observedAt <= now), test, now }
  })
}

/** Predicts every listing once, from the other folds. */
export function foldRounds(rows: readonly Observation[], folds = 5, seed = 1): EvaluationRound[] {
  const fold = foldOfRows(rows, folds, seed)
  return Array.from({ length: folds }, (_, at) => roundsByPeriod(rows, (row) => fold.get(row) === at)).flat()
}

/** The content of a row decides its fold: a row that is added or removed moves no other, and measurements stay comparable. */
function foldOfRows(rows: readonly Observation[], folds: number, seed: number): Map<Observation, number> {
  const equalRows = new Map<string, number>()
  return new Map(
    rows.map((row) => {
      const { source, side, variantId, label, lock, cents, observedAt, listingId } = row
      const content = [source, side, variantId, label, lock, cents, observedAt, listingId].join('\t')
      const earlier = equalRows.get(content) ?? 0
      equalRows.set(content, earlier + 1)
      return [row, Bun.hash.xxHash32(`${content}\t${earlier}`, seed) % folds]
    }),
  )
}

/** Trains on rows before the moment and tests on rows after it. */
export function futureRound(rows: readonly Observation[], at: number): EvaluationRound[] {
  return [
    { train: rows.filter((row) => row.observedAt < at), test: rows.filter((row) => row.observedAt >= at), now: at },
  ]
}

/** Hides all rows of one variant (or model) in turn and trains on the others. */
export function hiddenRounds(
  set: PriceDataset,
  rows: readonly Observation[],
  level: 'variant' | 'model',
): EvaluationRound[] {
  const group = new Map<string, string>()
  for (const device of set.devices) {
    for (const variant of device.variants) {
      group.set(variant.variantId, level === 'variant' ? variant.variantId : device.deviceId)
    }
  }
  const groupOf = (row: Observation) => group.get(row.variantId) ?? row.variantId
  return [...new Set(rows.map(groupOf))].flatMap((hidden) => roundsByPeriod(rows, (row) => groupOf(row) === hidden))
}

export function quantileMoment(rows: readonly Observation[], share: number): number {
  const times = rows.map((row) => row.observedAt).sort((a, b) => a - b)
  return times[Math.floor(times.length * share)] ?? 0
}
