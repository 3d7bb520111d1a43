import type { Observation } from '../../src/pricing/observation.ts'
import type { PriceSet } from './datasets.ts'

/** One round of the judge: what the engine may see, what it must foretell, and the moment it stands at. */
export type Round = {
  readonly train: readonly Observation[]
  readonly test: readonly Observation[]
  readonly now: number
}

export type Split = 'fold' | 'future' | 'variant' | 'model'

const newest = (rows: readonly Observation[]) => rows.reduce((latest, row) => Math.max(latest, row.observedAt), 0)

/** The same shuffle on every run and machine, so that two measurements can be compared. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const out = [...items]
  let state = seed >>> 0
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  for (let i = out.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1))
    ;[out[i], out[j]] = [out[j] as T, out[i] as T]
  }
  return out
}

/** Every listing is foretold once, from the other four fifths. */
export function foldRounds(rows: readonly Observation[], folds = 5, seed = 1): Round[] {
  const mixed = shuffled(rows, seed)
  const now = newest(rows)
  return Array.from({ length: folds }, (_, fold) => ({
    train: mixed.filter((_, at) => at % folds !== fold),
    test: mixed.filter((_, at) => at % folds === fold),
    now,
  }))
}

/** Train on what was seen before the moment, test on what came after. */
export function futureRound(rows: readonly Observation[], at: number): Round[] {
  return [
    { train: rows.filter((row) => row.observedAt < at), test: rows.filter((row) => row.observedAt >= at), now: at },
  ]
}

/** All rows of one variant (or of one whole model) are hidden; its siblings are known. */
export function hiddenRounds(set: PriceSet, rows: readonly Observation[], what: 'variant' | 'model'): Round[] {
  const group = new Map<string, string>()
  for (const device of set.devices) {
    for (const variant of device.variants) {
      group.set(variant.variantId, what === 'variant' ? variant.variantId : device.deviceId)
    }
  }
  const of = (row: Observation) => group.get(row.variantId) ?? row.variantId
  const now = newest(rows)
  return [...new Set(rows.map(of))].map((hidden) => ({
    train: rows.filter((row) => of(row) !== hidden),
    test: rows.filter((row) => of(row) === hidden),
    now,
  }))
}

export function quantileMoment(rows: readonly Observation[], share: number): number {
  const times = rows.map((row) => row.observedAt).sort((a, b) => a - b)
  return times[Math.floor(times.length * share)] ?? 0
}
