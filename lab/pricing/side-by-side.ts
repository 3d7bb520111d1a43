/** Every set and every way to hide some of it, one row each: served prices beside the last release, boosted trees and the median of the cell. */
import { quotedCondition } from '../../src/catalog/grade.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import type { DeviceInput, Observation } from '../../src/pricing/model/observation.ts'
import { fitBoosting } from './gradient-boosting.ts'
import {
  type HiddenRows,
  hideAll,
  hideFolds,
  hideFuture,
  marketOutcomes,
  type Outcome,
  sampleEvenly,
  summarize,
} from './market-accuracy.ts'
import { medianOf } from './median-error.ts'
import type { PriceDataset } from './price-set.ts'

export const SPLITS = ['fold', 'future', 'variant', 'model', 'first'] as const
export type Split = (typeof SPLITS)[number]

/** Figures of one set and split, as shares of the price. */
export type SplitFigures = {
  readonly tests: number
  readonly error: number
  readonly bias: number
  readonly cover: number
  /** Error that the confidence states. */
  readonly stated: number
  /** On tests whose variant and grade have at least `MIN_CELL` known prices: the error of their median, and that of the service. */
  readonly cellTests: number
  readonly cellMedian: number
  readonly servedInCells: number
  /** The market, channel, grade or category whose range is farthest from holding 80 %. */
  readonly worst: { readonly name: string; readonly tests: number; readonly cover: number } | null
}

/** Confidence by bands of ten: stated and measured error. */
export type ConfidenceBand = {
  readonly from: number
  readonly tests: number
  readonly stated: number
  readonly error: number
}

const MIN_CELL = 5
/** A group with fewer tests is off by chance. */
const MIN_GROUP = 40
const PARTS = 5
const RECENT_DAYS = 90

function hiddenParts(set: PriceDataset, split: Split): HiddenRows[] {
  switch (split) {
    case 'fold':
      return hideFolds(set)
    case 'future':
      return hideFuture(set)
    case 'first':
      return hideAll(set)
    default:
      return hideGroups(set, split)
  }
}

/** Hides the recent rows of each fifth of the variants, or of the models, once. */
function hideGroups({ devices, observations }: PriceDataset, level: 'variant' | 'model'): HiddenRows[] {
  const deviceOf = new Map(devices.flatMap(({ deviceId, variants }) => variants.map((v) => [v.variantId, deviceId])))
  const groupOf = ({ variantId }: Observation) =>
    level === 'variant' ? variantId : (deviceOf.get(variantId) ?? variantId)
  const partOf = (row: Observation) => Bun.hash.xxHash32(groupOf(row), 1) % PARTS
  const times = observations.map(({ observedAt }) => observedAt).sort((a, b) => a - b)
  const now = times[Math.floor(times.length * 0.95)] ?? 0
  const known = observations.filter((row) => row.observedAt <= now)
  const groups = new Set(known.map(groupOf))
  if (groups.size < 2) return []
  return Array.from({ length: PARTS }, (_, part) => ({
    known: known.filter((row) => partOf(row) !== part),
    hidden: known.filter((row) => partOf(row) === part && row.observedAt > now - RECENT_DAYS * DAY_MS),
    now,
  })).filter(({ hidden, known: rest }) => hidden.length > 0 && rest.length > 0)
}

const cellKey = ({ variantId, grade, side, lock }: Observation) =>
  `${variantId}\t${grade}\t${side === 'quote'}\t${lock}`

export function splitOutcomes(set: PriceDataset, split: Split, others: readonly Observation[] = []) {
  return hiddenParts(set, split).map((part) => ({ part, outcomes: marketOutcomes(set.devices, part, others) }))
}

export function figuresOf(set: PriceDataset, measured: ReturnType<typeof splitOutcomes>): SplitFigures {
  const outcomes = measured.flatMap((each) => each.outcomes)
  const { tests, mdape, bias, cover, expected } = summarize(outcomes)
  const cells = measured.flatMap(({ part, outcomes: served }) => {
    const recent = part.known.filter((row) => row.observedAt > part.now - RECENT_DAYS * DAY_MS)
    const medians = new Map(
      [...Map.groupBy(recent, cellKey)].flatMap(([key, rows]) =>
        rows.length < MIN_CELL ? [] : [[key, medianOf(rows.map(({ cents }) => cents))] as const],
      ),
    )
    return served.flatMap(({ row, error }) => {
      const cents = medians.get(cellKey(row))
      return cents === undefined ? [] : [{ median: Math.abs(cents / row.cents - 1), served: Math.abs(error) }]
    })
  })
  return {
    tests,
    error: mdape,
    bias,
    cover,
    stated: expected,
    cellTests: cells.length,
    cellMedian: medianOf(cells.map(({ median }) => median)),
    servedInCells: medianOf(cells.map(({ served }) => served)),
    worst: worstGroup(set.devices, outcomes),
  }
}

function worstGroup(devices: readonly DeviceInput[], outcomes: readonly Outcome[]): SplitFigures['worst'] {
  const categoryOf = new Map(devices.flatMap(({ category, variants }) => variants.map((v) => [v.variantId, category])))
  const namings: ((row: Observation) => string)[] = [
    (row) => `market ${row.market}`,
    (row) => `channel ${row.source}/${row.side}/${row.lock || 'any lock'}`,
    (row) => `grade ${row.grade}`,
    (row) => `category ${categoryOf.get(row.variantId)}`,
  ]
  const groups = namings.flatMap((nameOf) =>
    [...Map.groupBy(outcomes, ({ row }) => nameOf(row))].flatMap(([name, group]) =>
      group.length < MIN_GROUP
        ? []
        : [{ name, tests: group.length, cover: group.filter(({ covered }) => covered).length / group.length }],
    ),
  )
  return groups.sort((a, b) => Math.abs(b.cover - 0.8) - Math.abs(a.cover - 0.8))[0] ?? null
}

/** More rows take minutes and change the error of boosted trees by less than half a point. */
const MAX_BOOSTED_ROWS = 8_000

/** Median error of boosted trees on the same tests, asked what callers ask: without the seller's word, locked or not. */
export function boostingError(set: PriceDataset, measured: ReturnType<typeof splitOutcomes>): number {
  return medianOf(
    measured.flatMap(({ part, outcomes }) => {
      if (!part.known.length) return []
      const asked = (row: Observation): Observation => ({ ...row, grade: quotedCondition(row.grade) ?? row.grade })
      const predict = fitBoosting(set.devices, sampleEvenly(part.known, MAX_BOOSTED_ROWS).map(asked))
      return outcomes.map(({ row }) => Math.abs(predict(asked(row)) / row.cents - 1))
    }),
  )
}

const BAND = 10

export function confidenceBands(outcomes: readonly Outcome[]): ConfidenceBand[] {
  return [...Map.groupBy(outcomes, ({ confidence }) => BAND * Math.floor(Math.min(confidence, 99) / BAND))]
    .map(([from, group]) => ({
      from,
      tests: group.length,
      stated: group.reduce((sum, { confidence }) => sum + (100 - confidence) / 400, 0) / group.length,
      error: medianOf(group.map(({ error }) => Math.abs(error))),
    }))
    .sort((a, b) => b.from - a.from)
}
