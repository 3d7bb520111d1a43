import { MARKET_GRADES, type MarketGrade } from '../../catalog/grade.ts'
import { DAY_MS, MONTH_MS } from '../../lib/time.ts'
import { uses } from './model-parts.ts'
import {
  type ChannelFields,
  channelOf,
  type DeviceInput,
  type Observation,
  type Trade,
  tradeOf,
} from './observation.ts'
import { ageYears, type StorageSteps, storageSteps } from './prior.ts'
import { decayPerMs, WINDOW_DAYS } from './recency.ts'
import { balancedWeights, newestBalanced } from './source-weights.ts'

export const GRADE_COUNT = MARKET_GRADES.length
const GRADE_INDEX: Readonly<Record<MarketGrade, number>> = {
  New: 0,
  Excellent: 1,
  Good: 2,
  Fair: 3,
  Poor: 4,
  Ungraded: 5,
}

export function gradeIndex(grade: MarketGrade): number {
  return GRADE_INDEX[grade]
}

export const GOOD = gradeIndex('Good')
export const UNGRADED = gradeIndex('Ungraded')

/** Interns channels, so that rows store a four-byte number instead of strings. */
export type ChannelIndex = {
  readonly names: string[]
  readonly indexOf: (row: ChannelFields) => number
}

export function createChannelIndex(): ChannelIndex {
  const names: string[] = []
  const numberByName = new Map<string, number>()
  /** Few channels share a label: comparing the other fields is cheaper than building a string key. */
  const byLabel = new Map<string, (Omit<ChannelFields, 'label'> & { number: number })[]>()
  return {
    names,
    indexOf(row) {
      const { source, side, label, lock, market } = row
      let candidates = byLabel.get(label)
      if (!candidates) {
        candidates = []
        byLabel.set(label, candidates)
      }
      for (const candidate of candidates) {
        if (
          candidate.side === side &&
          candidate.source === source &&
          candidate.lock === lock &&
          candidate.market === market
        )
          return candidate.number
      }
      const name = channelOf(row)
      const number = numberByName.get(name) ?? names.length
      if (number === names.length) {
        numberByName.set(name, number)
        names.push(name)
      }
      if (candidates.length < MAX_COMPARED) candidates.push({ source, side, lock, market, number })
      return number
    },
  }
}

const MAX_COMPARED = 16

/** The rows of one device on one side of the trade, as columns. */
export type ObservationColumns = {
  readonly device: DeviceInput
  readonly storage: StorageSteps
  readonly ageYears: number | null
  readonly now: number
  readonly driftPerMonth: number
  readonly size: number
  readonly cents: Float64Array
  /** ln cents, drifted to now. */
  readonly lnCents: Float64Array
  readonly observedAt: Float64Array
  readonly monthsAgo: Float64Array
  readonly recency: Float64Array
  /** Weight of the row: its recency, reduced if its source would outweigh the others. */
  readonly weight: Float64Array
  readonly cell: Int32Array
  readonly channel: Int32Array
  /** When the listing was first seen; NaN if unknown. */
  readonly listedAt: Float64Array
  /** Whether the listing is active, sold or gone. */
  readonly state: Int8Array
}

export const ACTIVE = 0
export const SOLD = 1
const GONE = 2

/** Maximum rows per cell; the newest of each source are kept, because more cost time without improving the estimate. */
export const MAX_PER_CELL = 512

export type ColumnOptions = {
  readonly now: number
  readonly driftPerMonth: number
  readonly halfLifeDays: number
  /** Which rows are kept if a cell has too many. */
  readonly keepWhenCrowded: 'newest' | 'all'
}

/** Rows may be in any order; the columns are sorted by cell. */
export function observationColumns(
  device: DeviceInput,
  rows: readonly Observation[],
  trade: Trade,
  channels: ChannelIndex,
  options: ColumnOptions,
): ObservationColumns {
  const { now, driftPerMonth } = options
  const variantIndex = new Map(device.variants.map(({ variantId }, at) => [variantId, at]))
  const cells = device.variants.length * GRADE_COUNT
  const oldest = now - WINDOW_DAYS * DAY_MS
  /** The cell of each row; -1 if it is ignored. */
  const cellOf = new Int32Array(rows.length)
  const starts = new Int32Array(cells + 1)
  const isInWindow = (row: Observation) => tradeOf(row) === trade && row.observedAt <= now && row.observedAt >= oldest
  // What a device costs new says little about used ones, once those have prices of their own.
  const ignoresNew =
    uses('new prices only without used ones') && rows.some((row) => row.grade !== 'New' && isInWindow(row))
  let size = 0
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] as Observation
    const isRelevant = isInWindow(row) && !(ignoresNew && row.grade === 'New')
    const variant = isRelevant ? variantIndex.get(row.variantId) : undefined
    if (variant === undefined) {
      cellOf[index] = -1
      continue
    }
    const cell = variant * GRADE_COUNT + GRADE_INDEX[row.grade]
    cellOf[index] = cell
    starts[cell + 1] = starts[cell + 1]! + 1
    size += 1
  }
  let isCrowded = false
  for (let cell = 0; cell < cells; cell += 1) {
    if (starts[cell + 1]! > MAX_PER_CELL) isCrowded = true
    starts[cell + 1] = starts[cell + 1]! + starts[cell]!
  }
  if (isCrowded && options.keepWhenCrowded === 'newest')
    return observationColumns(device, newestPerCell(rows, cellOf), trade, channels, options)

  const storage = storageSteps(device)
  const columns = {
    device,
    storage,
    ageYears: ageYears(device, now),
    now,
    driftPerMonth,
    size,
    cents: new Float64Array(size),
    lnCents: new Float64Array(size),
    observedAt: new Float64Array(size),
    monthsAgo: new Float64Array(size),
    recency: new Float64Array(size),
    cell: new Int32Array(size),
    channel: new Int32Array(size),
    listedAt: new Float64Array(size),
    state: new Int8Array(size),
  }
  const nextSlot = starts.slice()
  const decay = decayPerMs(options.halfLifeDays)
  for (let index = 0; index < rows.length; index += 1) {
    const cell = cellOf[index]!
    if (cell < 0) continue
    const row = rows[index] as Observation
    const slot = nextSlot[cell]!
    nextSlot[cell] = slot + 1
    const months = (now - row.observedAt) / MONTH_MS
    columns.cents[slot] = row.cents
    columns.observedAt[slot] = row.observedAt
    columns.monthsAgo[slot] = months
    columns.lnCents[slot] = Math.log(row.cents) + driftPerMonth * months
    columns.recency[slot] = Math.exp((row.observedAt - now) * decay)
    columns.cell[slot] = cell
    columns.channel[slot] = channels.indexOf(row)
    columns.listedAt[slot] = row.listedAt ?? Number.NaN
    columns.state[slot] = row.state === 'active' ? ACTIVE : row.state === 'sold' ? SOLD : GONE
  }
  return {
    ...columns,
    weight: uses('balance of sources') ? balancedWeights(columns, channels.names) : columns.recency.slice(),
  }
}

/** The same rows under another drift. */
export function withDrift(rows: ObservationColumns, driftPerMonth: number): ObservationColumns {
  const change = driftPerMonth - rows.driftPerMonth
  return {
    ...rows,
    driftPerMonth,
    lnCents: rows.lnCents.map((value, at) => value + change * rows.monthsAgo[at]!),
  }
}

/** Selects rows by index, in order. */
export function selectRows(rows: ObservationColumns, indexes: readonly number[]): ObservationColumns {
  const fill = <Column extends Float64Array | Int32Array | Int8Array>(into: Column, values: Column): Column => {
    for (let at = 0; at < indexes.length; at += 1) into[at] = values[indexes[at]!]!
    return into
  }
  const floats = (values: Float64Array) => fill(new Float64Array(indexes.length), values)
  const integers = (values: Int32Array) => fill(new Int32Array(indexes.length), values)
  return {
    ...rows,
    size: indexes.length,
    cents: floats(rows.cents),
    lnCents: floats(rows.lnCents),
    observedAt: floats(rows.observedAt),
    monthsAgo: floats(rows.monthsAgo),
    recency: floats(rows.recency),
    weight: floats(rows.weight),
    cell: integers(rows.cell),
    channel: integers(rows.channel),
    listedAt: floats(rows.listedAt),
    state: fill(new Int8Array(indexes.length), rows.state),
  }
}

function newestPerCell(rows: readonly Observation[], cellOf: Int32Array): Observation[] {
  const groups = Map.groupBy(
    rows.filter((_, at) => cellOf[at]! >= 0),
    (row) => `${row.variantId}\t${row.grade}`,
  )
  return [...groups.values()].flatMap((group) => newestBalanced(group, MAX_PER_CELL))
}
