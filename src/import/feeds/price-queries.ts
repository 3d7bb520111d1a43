/** Chooses the devices that a price service is asked about next. */
import type { Device } from '../../catalog/device.ts'
import { DAY_MS } from '../../lib/time.ts'
import { type PriceQuery, searchText } from './price-api.ts'

export type QueryState = {
  readonly fetchedAt: number
  /** Listings that the last request found. */
  readonly listings: number
}

export type QueryContext = {
  /** Number of appraisals and watches of each device that has any. */
  readonly interest: ReadonlyMap<string, number>
  readonly states: ReadonlyMap<string, QueryState>
  readonly now: number
}

const INTERESTING_EVERY_MS = DAY_MS
const OTHERS_EVERY_MS = 7 * DAY_MS
/** Prices of expensive devices are asked more often: the same percentage is more money. */
const VALUE_FACTORS = [
  [60_000, 1],
  [25_000, 2],
  [0, 4],
] as const
/** A device that nobody offers is asked about rarely. */
const WITHOUT_LISTINGS_FACTOR = 4

/** Appraised and watched devices first, then those that are probably sold most; among both, the most overdue first. */
export function selectQueries(devices: readonly Device[], context: QueryContext, limit: number): PriceQuery[] {
  const due = devices.flatMap((device) => {
    if (device.variants.length === 0) return []
    const interest = context.interest.get(device.id) ?? 0
    const overdue = overdueOf(device, interest > 0, context)
    return overdue < 1 ? [] : [{ device, interest, overdue, sales: expectedSales(device, context.now) }]
  })
  due.sort(
    (a, b) =>
      Number(b.interest > 0) - Number(a.interest > 0) ||
      compare(b.overdue, a.overdue) ||
      b.interest - a.interest ||
      b.sales - a.sales ||
      (a.device.id < b.device.id ? -1 : 1),
  )
  return due.slice(0, limit).map(({ device }) => toQuery(device))
}

const toQuery = (device: Device): PriceQuery => ({
  deviceId: device.id,
  text: searchText(device),
  category: device.category,
})

/** Infinities are equal. */
const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1)

/** Age of the last request in intervals of the device; infinite if there was none. */
function overdueOf(device: Device, isInteresting: boolean, { states, now }: QueryContext): number {
  const state = states.get(device.id)
  if (!state) return Number.POSITIVE_INFINITY
  const value = Math.max(...device.variants.map(({ listCents }) => listCents))
  const [, valueFactor] = VALUE_FACTORS.find(([minCents]) => value >= minCents) ?? [0, 1]
  const interval = isInteresting ? INTERESTING_EVERY_MS : OTHERS_EVERY_MS * valueFactor
  return (now - state.fetchedAt) / (interval * (state.listings === 0 ? WITHOUT_LISTINGS_FACTOR : 1))
}

const CATEGORY_SHARES: Readonly<Record<string, number>> = {
  Smartphone: 1,
  Tablet: 0.6,
  Laptop: 0.5,
  'Game Console': 0.5,
  Smartwatch: 0.4,
}
const MAKE_SHARES: Readonly<Record<string, number>> = {
  Apple: 1,
  Samsung: 0.6,
  Google: 0.35,
  Sony: 0.3,
  Microsoft: 0.3,
}
/** Most devices are sold again at this age. */
const TYPICAL_AGE_YEARS = 3

/** A rough order of used devices by sales, for devices that nobody asked about yet. */
function expectedSales({ category, make, releasedOn }: Device, now: number): number {
  const age = releasedOn === null ? 12 : (now - Date.parse(releasedOn)) / (365 * DAY_MS)
  const ageShare = Math.exp(-Math.abs(age - TYPICAL_AGE_YEARS) / 2)
  return (CATEGORY_SHARES[category] ?? 0.15) * (MAKE_SHARES[make] ?? 0.15) * ageShare
}
