import { quotedCondition } from '../../src/catalog/grade.ts'
import { DAY_MS, startOfDay } from '../../src/lib/time.ts'
import { priorMarkets } from '../../src/pricing/markets/fitted-markets.ts'
import { marketsOf } from '../../src/pricing/model/country-markets.ts'
import { familyOf } from '../../src/pricing/model/device-family.ts'
import { type DeviceInput, isCarrierLocked, type Observation } from '../../src/pricing/model/observation.ts'
import { ageYears } from '../../src/pricing/model/prior.ts'
import { quoteWithLock } from '../../src/pricing/quotes/carrier-lock.ts'
import { type Quote, quoteDevice } from '../../src/pricing/quotes/quote.ts'
import { medianOf } from './median-error.ts'
import type { PriceDataset } from './price-set.ts'

/** Accuracy of prices served without any observation, by side, family and age. */
export type ColdStartAccuracy = {
  readonly group: string
  readonly rows: number
  readonly devices: number
  /** Median of (served − paid) / paid. */
  readonly bias: number
  readonly mdape: number
  readonly cover: number
  /** Error expected from `market_confidence`. */
  readonly expected: number
}

/** Upper age limits (years) of the groups. */
const AGE_BANDS = [2, 4, 6, 20] as const

/** Quotes of a service without observations, on the day of each price of a set. */
export function coldStartAccuracy({ devices, observations }: PriceDataset): ColdStartAccuracy[] {
  const variantLookup = new Map(
    devices.flatMap((device) => device.variants.map((v, at) => [v.variantId, { device, at }] as const)),
  )
  const groups = new Map<string, { errors: number[]; expected: number; covered: number; devices: Set<string> }>()
  const quotesByDay = new Map<string, Quote[]>()
  for (const row of observations) {
    const match = variantLookup.get(row.variantId)
    const grade = quotedCondition(row.grade)
    if (!match || !grade) continue
    const { device, at } = match
    const day = startOfDay(new Date(row.observedAt).toISOString().slice(0, 10)) + DAY_MS - 1
    const age = ageYears(device, day)
    const key = `${device.deviceId} ${day} ${row.market}`
    const quotes = quotesByDay.get(key) ?? quoteDevice(marketsOn(day, row.market), device, [], day)
    quotesByDay.set(key, quotes)
    const quote = quoteWithLock(quotes[at] as Quote, isCarrierLocked(row.lock) ? 'locked' : 'unlocked')
    const side = row.side === 'quote' ? quote.buyback : quote.resale
    if (!side.cents || !side.interval || age === null) continue
    const name = groupOf(device, row, age)
    const group = groups.get(name) ?? { errors: [], expected: 0, covered: 0, devices: new Set<string>() }
    groups.set(name, group)
    group.errors.push((side.cents[grade] - row.cents) / row.cents)
    group.expected += (100 - quote.marketConfidence) / 400
    if (side.interval[grade].low <= row.cents && row.cents <= side.interval[grade].high) group.covered += 1
    group.devices.add(device.deviceId)
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, { errors, expected, covered, devices: groupDevices }]) => ({
      group,
      rows: errors.length,
      devices: groupDevices.size,
      bias: medianOf(errors),
      mdape: medianOf(errors.map(Math.abs)),
      cover: covered / errors.length,
      expected: expected / errors.length,
    }))
}

/** Markets of a country before any price was observed, as a caller of that market gets them. */
const marketsOn = (day: number, country: string) =>
  marketsOf({ world: priorMarkets(day), byCountry: new Map() }, country)

function groupOf(device: DeviceInput, row: Observation, age: number): string {
  const to = AGE_BANDS.find((band) => age < band) ?? AGE_BANDS[AGE_BANDS.length - 1]
  const from = AGE_BANDS[AGE_BANDS.indexOf(to as (typeof AGE_BANDS)[number]) - 1] ?? 0
  return `${row.side === 'quote' ? 'buyback' : 'resale'} | ${familyOf(device)} | ${from} to ${to} years`
}
