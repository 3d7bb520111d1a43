import { DAY_MS, MONTH_MS } from '../../time.ts'
import { channelOf, type DeviceFacts, type Observation, type Side } from './observation.ts'
import { ageYears, combinedStep, type StorageSteps, storageSteps } from './prior.ts'
import { forgetting, WINDOW_DAYS } from './recency.ts'
import { RUNGS, type Rung } from './rung.ts'

export const RUNG_COUNT = RUNGS.length
const RUNG_INDEX: Readonly<Record<Rung, number>> = { New: 0, Excellent: 1, Good: 2, Fair: 3, Poor: 4, Ungraded: 5 }

export function rungIndex(rung: Rung): number {
  return RUNG_INDEX[rung]
}

/** The channels seen so far, each with a number: rows then carry four bytes instead of four words. */
export type ChannelRegistry = {
  readonly names: string[]
  readonly of: (row: Pick<Observation, 'source' | 'side' | 'label' | 'lock'>) => number
}

export function channelRegistry(): ChannelRegistry {
  const names: string[] = []
  const numbers = new Map<string, number>()
  /** Few channels share a word for a grade: comparing the rest is cheaper than joining all four words into a name. */
  const byLabel = new Map<string, { source: string; side: Side; lock: string; number: number }[]>()
  return {
    names,
    of(row) {
      const { source, side, label, lock } = row
      let same = byLabel.get(label)
      if (!same) {
        same = []
        byLabel.set(label, same)
      }
      for (const one of same) {
        if (one.side === side && one.source === source && one.lock === lock) return one.number
      }
      const name = channelOf(row)
      const number = numbers.get(name) ?? names.length
      if (number === names.length) {
        numbers.set(name, number)
        names.push(name)
      }
      if (same.length < MOST_COMPARED) same.push({ source, side, lock, number })
      return number
    },
  }
}

const MOST_COMPARED = 16

/** The rows of one device on one side of the trade, as columns. */
export type DeviceRows = {
  readonly device: DeviceFacts
  readonly storage: StorageSteps
  /** The direction in which a device may have a slope of its own. */
  readonly steps: Float64Array
  readonly age: number | null
  readonly now: number
  readonly drift: number
  readonly size: number
  readonly cents: Float64Array
  /** ln cents, drifted to now. */
  readonly value: Float64Array
  readonly observedAt: Float64Array
  readonly monthsAgo: Float64Array
  readonly recency: Float64Array
  readonly cell: Int32Array
  readonly channel: Int32Array
  /** When the listing was first seen; NaN where the source does not tell. */
  readonly listedAt: Float64Array
  /** Whether it still stands, was sold, or is gone. */
  readonly state: Int8Array
}

export const STANDING = 0
export const SOLD = 1
const GONE = 2

/** More rows than this in one cell add time and no knowledge; the newest stay. */
const MOST_PER_CELL = 512

export const RESALE_SIDES: readonly Side[] = ['ask', 'sold']
export const BUYBACK_SIDES: readonly Side[] = ['quote']

export type RowRules = {
  readonly now: number
  readonly drift: number
  readonly halfLife: number
  /** Which rows stay where a cell has very many. */
  readonly crowd: 'newest' | 'all'
}

/** Rows in any order; the columns lie sorted by cell. */
export function deviceRows(
  device: DeviceFacts,
  rows: readonly Observation[],
  sides: readonly Side[],
  registry: ChannelRegistry,
  { now, drift, halfLife, crowd }: RowRules,
): DeviceRows {
  const variant = new Map<string, number>()
  device.variants.forEach((facts, at) => {
    variant.set(facts.variantId, at)
  })
  const cells = device.variants.length * RUNG_COUNT
  const oldest = now - WINDOW_DAYS * DAY_MS
  const quotes = sides.includes('quote')
  /** The cell of each row, -1 where it does not count. */
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
    const cell = at * RUNG_COUNT + RUNG_INDEX[row.rung]
    cellOf[from] = cell
    starts[cell + 1] = (starts[cell + 1] as number) + 1
    size += 1
  }
  let crowded = false
  for (let cell = 0; cell < cells; cell += 1) {
    if ((starts[cell + 1] as number) > MOST_PER_CELL) crowded = true
    starts[cell + 1] = (starts[cell + 1] as number) + (starts[cell] as number)
  }
  if (crowded && crowd === 'newest')
    return deviceRows(device, newestPerCell(rows, cellOf), sides, registry, { now, drift, halfLife, crowd })

  const storage = storageSteps(device)
  const columns = {
    device,
    storage,
    steps: storage.list.map((_, at) => combinedStep(storage, at)),
    age: ageYears(device, now),
    now,
    drift,
    size,
    cents: new Float64Array(size),
    value: new Float64Array(size),
    observedAt: new Float64Array(size),
    monthsAgo: new Float64Array(size),
    recency: new Float64Array(size),
    cell: new Int32Array(size),
    channel: new Int32Array(size),
    listedAt: new Float64Array(size),
    state: new Int8Array(size),
  }
  const next = starts.slice()
  const forgotten = forgetting(halfLife)
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
    columns.value[at] = Math.log(row.cents) + drift * months
    columns.recency[at] = Math.exp((row.observedAt - now) * forgotten)
    columns.cell[at] = cell
    columns.channel[at] = registry.of(row)
    columns.listedAt[at] = row.listedAt ?? Number.NaN
    columns.state[at] = row.state === 'active' ? STANDING : row.state === 'sold' ? SOLD : GONE
  }
  return columns
}

/** The same rows under another drift. */
export function driftTo(rows: DeviceRows, driftPerMonth: number): DeviceRows {
  const change = driftPerMonth - rows.drift
  return {
    ...rows,
    drift: driftPerMonth,
    value: rows.value.map((value, at) => value + change * (rows.monthsAgo[at] as number)),
  }
}

/** Some of the rows, in the order of their places. */
export function takeRows(rows: DeviceRows, places: readonly number[]): DeviceRows {
  const fill = <Column extends Float64Array | Int32Array | Int8Array>(into: Column, values: Column): Column => {
    for (let at = 0; at < places.length; at += 1) into[at] = values[places[at] as number] as number
    return into
  }
  const take = (values: Float64Array) => fill(new Float64Array(places.length), values)
  const number = (values: Int32Array) => fill(new Int32Array(places.length), values)
  return {
    ...rows,
    size: places.length,
    cents: take(rows.cents),
    value: take(rows.value),
    observedAt: take(rows.observedAt),
    monthsAgo: take(rows.monthsAgo),
    recency: take(rows.recency),
    cell: number(rows.cell),
    channel: number(rows.channel),
    listedAt: take(rows.listedAt),
    state: fill(new Int8Array(places.length), rows.state),
  }
}

/** Which of equally new rows stay is settled by their amounts, so that the order of reading never matters. */
function newestPerCell(rows: readonly Observation[], cellOf: Int32Array): Observation[] {
  const groups = new Map<number, Observation[]>()
  rows.forEach((row, at) => {
    const cell = cellOf[at] as number
    if (cell < 0) return
    const group = groups.get(cell)
    if (group) group.push(row)
    else groups.set(cell, [row])
  })
  return [...groups.values()].flatMap((group) =>
    group.length <= MOST_PER_CELL
      ? group
      : group.sort((a, b) => b.observedAt - a.observedAt || a.cents - b.cents).slice(0, MOST_PER_CELL),
  )
}
