import { DAY_MS, MONTH_MS } from '../../lib/time.ts'
import { MARKET_GRADES, type MarketGrade } from './grade.ts'
import { type ChannelFields, channelOf, type DeviceInput, type Observation, type PriceSide } from './observation.ts'
import { ageYears, combinedStep, type StorageSteps, storageSteps } from './prior.ts'
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

/** Interns channels, so that rows store a four-byte number instead of strings. */
export type ChannelIndex = {
  readonly names: string[]
  readonly indexOf: (row: ChannelFields) => number
}

export function createChannelIndex(): ChannelIndex {
  const names: string[] = []
  const numbers = new Map<string, number>()
  /** Few channels share a label: comparing the other fields is cheaper than building a string key. */
  const byLabel = new Map<string, (Omit<ChannelFields, 'label'> & { number: number })[]>()
  return {
    names,
    indexOf(row) {
      const { source, side, label, lock, market } = row
      let same = byLabel.get(label)
      if (!same) {
        same = []
        byLabel.set(label, same)
      }
      for (const one of same) {
        if (one.side === side && one.source === source && one.lock === lock && one.market === market) return one.number
      }
      const name = channelOf(row)
      const number = numbers.get(name) ?? names.length
      if (number === names.length) {
        numbers.set(name, number)
        names.push(name)
      }
      if (same.length < MAX_COMPARED) same.push({ source, side, lock, market, number })
      return number
    },
  }
}

const MAX_COMPARED = 16

/** The rows of one device on one side of the trade, as columns. */
export type ObservationColumns = {
  readonly device: DeviceInput
  readonly storage: StorageSteps
  /** Storage step of each variant, for the device-specific slope. */
  readonly combinedSteps: Float64Array
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

export const RESALE_SIDES: readonly PriceSide[] = ['ask', 'sold']
export const BUYBACK_SIDES: readonly PriceSide[] = ['quote']

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
  sides: readonly PriceSide[],
  channels: ChannelIndex,
  { now, driftPerMonth: drift, halfLifeDays: halfLife, keepWhenCrowded: crowd }: ColumnOptions,
): ObservationColumns {
  const variant = new Map<string, number>()
  device.variants.forEach((facts, at) => {
    variant.set(facts.variantId, at)
  })
  const cells = device.variants.length * GRADE_COUNT
  const oldest = now - WINDOW_DAYS * DAY_MS
  const quotes = sides.includes('quote')
  /** The cell of each row; -1 if it is ignored. */
  const cellOf = new Int32Array(rows.length)
  const starts = new Int32Array(cells + 1)
  let size = 0
  for (let from = 0; from < rows.length; from += 1) {
    const row = rows[from] as Observation
    const counts = (row.side === 'quote') === quotes && row.observedAt <= now && row.observedAt >= oldest
    const at = counts ? variant.get(row.variantId) : undefined
    if (at === undefined) {
      cellOf[from] = -1
      continue
    }
    const cell = at * GRADE_COUNT + GRADE_INDEX[row.grade]
    cellOf[from] = cell
    starts[cell + 1] = (starts[cell + 1] as number) + 1
    size += 1
  }
  let crowded = false
  for (let cell = 0; cell < cells; cell += 1) {
    if ((starts[cell + 1] as number) > MAX_PER_CELL) crowded = true
    starts[cell + 1] = (starts[cell + 1] as number) + (starts[cell] as number)
  }
  if (crowded && crowd === 'newest')
    return observationColumns(device, newestPerCell(rows, cellOf), sides, channels, {
      now,
      driftPerMonth: drift,
      halfLifeDays: halfLife,
      keepWhenCrowded: crowd,
    })

  const storage = storageSteps(device)
  const columns = {
    device,
    storage,
    combinedSteps: storage.lnLaunchPrice.map((_, at) => combinedStep(storage, at)),
    ageYears: ageYears(device, now),
    now,
    driftPerMonth: drift,
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
  const next = starts.slice()
  const forgotten = decayPerMs(halfLife)
  for (let from = 0; from < rows.length; from += 1) {
    const cell = cellOf[from] as number
    if (cell < 0) continue
    const row = rows[from] as Observation
    const at = next[cell] as number
    next[cell] = at + 1
    const months = (now - row.observedAt) / MONTH_MS
    columns.cents[at] = row.cents
    columns.observedAt[at] = row.observedAt
    columns.monthsAgo[at] = months
    columns.lnCents[at] = Math.log(row.cents) + drift * months
    columns.recency[at] = Math.exp((row.observedAt - now) * forgotten)
    columns.cell[at] = cell
    columns.channel[at] = channels.indexOf(row)
    columns.listedAt[at] = row.listedAt ?? Number.NaN
    columns.state[at] = row.state === 'active' ? ACTIVE : row.state === 'sold' ? SOLD : GONE
  }
  return { ...columns, weight: balancedWeights(columns, channels.names) }
}

/** The same rows under another drift. */
export function withDrift(rows: ObservationColumns, driftPerMonth: number): ObservationColumns {
  const change = driftPerMonth - rows.driftPerMonth
  return {
    ...rows,
    driftPerMonth: driftPerMonth,
    lnCents: rows.lnCents.map((value, at) => value + change * (rows.monthsAgo[at] as number)),
  }
}

/** Selects rows by index, in order. */
export function selectRows(rows: ObservationColumns, indexes: readonly number[]): ObservationColumns {
  const fill = <Column extends Float64Array | Int32Array | Int8Array>(into: Column, values: Column): Column => {
    for (let at = 0; at < indexes.length; at += 1) into[at] = values[indexes[at] as number] as number
    return into
  }
  const take = (values: Float64Array) => fill(new Float64Array(indexes.length), values)
  const number = (values: Int32Array) => fill(new Int32Array(indexes.length), values)
  return {
    ...rows,
    size: indexes.length,
    cents: take(rows.cents),
    lnCents: take(rows.lnCents),
    observedAt: take(rows.observedAt),
    monthsAgo: take(rows.monthsAgo),
    recency: take(rows.recency),
    weight: take(rows.weight),
    cell: number(rows.cell),
    channel: number(rows.channel),
    listedAt: take(rows.listedAt),
    state: fill(new Int8Array(indexes.length), rows.state),
  }
}

function newestPerCell(rows: readonly Observation[], cellOf: Int32Array): Observation[] {
  const groups = Map.groupBy(
    rows.filter((_, at) => (cellOf[at] as number) >= 0),
    (row) => `${row.variantId}\t${row.grade}`,
  )
  return [...groups.values()].flatMap((group) => newestBalanced(group, MAX_PER_CELL))
}
