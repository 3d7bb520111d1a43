import bundled from '../../data/currency/exchange-rates.json'
import { BASE_CURRENCY, type RateSource } from '../contract/currency.ts'
import { memoize } from '../lib/memoize.ts'
import { DAY_MS, startOfDay } from '../lib/time.ts'

/** Value of one unit of a currency in US dollars on a day. */
export type DatedRate = { readonly day: string; readonly usd: number; readonly source: RateSource }
export type ImportedRate = { readonly currency: string; readonly day: string; readonly usd: number }

export type RateLookup = {
  /** The newest rate on or before a day. */
  readonly find: (currency: string, day: string) => DatedRate | undefined
  /** Every currency with a rate, US dollars first. */
  readonly currencies: readonly string[]
}

type Peg = { readonly to: string; readonly units: number; readonly since?: string }
type Series = { readonly days: readonly string[]; readonly usd: Readonly<Record<string, readonly (number | null)[]>> }

const PEGS: Readonly<Record<string, Peg>> = bundled.pegs

/** Older rates are still used, but reported as stale. */
const MAX_RATE_AGE_DAYS = 45
const MAX_CACHED = 20_000

export function isStaleRate(rateDay: string, day: string): boolean {
  return startOfDay(day) - startOfDay(rateDay) > MAX_RATE_AGE_DAYS * DAY_MS
}

/** Looks rates up in the imported and the bundled ones. The newest rate wins; on the same day the imported one. */
export function createRateLookup(imported: readonly ImportedRate[]): RateLookup {
  const importedRates = new Map<string, DatedRate[]>()
  for (const { currency, day, usd } of imported) addRate(importedRates, currency, { day, usd, source: 'imported' })
  for (const rates of importedRates.values()) rates.sort((left, right) => (left.day < right.day ? -1 : 1))

  function find(currency: string, day: string): DatedRate | undefined {
    const candidates = [newestBefore(importedRates.get(currency), day), newestBefore(bundledRates().get(currency), day)]
    const peg = Object.hasOwn(PEGS, currency) ? PEGS[currency] : undefined
    if (peg && day >= (peg.since ?? '')) candidates.push(rateFromPeg(peg, day))
    return candidates.reduce((best, rate) => (rate && (!best || rate.day > best.day) ? rate : best), undefined)
  }

  function rateFromPeg({ to, units }: Peg, day: string): DatedRate | undefined {
    const anchor = to === BASE_CURRENCY ? { day, usd: 1 } : find(to, day)
    return anchor && { day: anchor.day, usd: anchor.usd / units, source: 'peg' }
  }

  const findCached = memoize(MAX_CACHED, (key: string) => find(key.slice(0, 3), key.slice(3)))
  const currencies = new Set([...importedRates.keys(), ...bundledRates().keys(), ...Object.keys(PEGS)])
  return {
    find: (currency, day) => findCached(currency + day),
    currencies: [BASE_CURRENCY, ...[...currencies].sort()],
  }
}

let bundledCache: Map<string, DatedRate[]> | undefined

function bundledRates(): ReadonlyMap<string, readonly DatedRate[]> {
  if (bundledCache) return bundledCache
  bundledCache = new Map()
  for (const source of ['ecb', 'federal_reserve'] as const) {
    const { days, usd }: Series = bundled[source]
    for (const [currency, values] of Object.entries(usd)) {
      for (const [index, value] of values.entries()) {
        if (value !== null) addRate(bundledCache, currency, { day: days[index] ?? '', usd: value, source })
      }
    }
  }
  const { day, units } = bundled.world_bank
  for (const [currency, perDollar] of Object.entries(units)) {
    addRate(bundledCache, currency, { day, usd: 1 / perDollar, source: 'world_bank' })
  }
  return bundledCache
}

function addRate(rates: Map<string, DatedRate[]>, currency: string, rate: DatedRate): void {
  const list = rates.get(currency)
  if (list) list.push(rate)
  else rates.set(currency, [rate])
}

/** Binary search in rates that ascend by day. */
function newestBefore(rates: readonly DatedRate[] = [], day: string): DatedRate | undefined {
  let low = 0
  let high = rates.length
  while (low < high) {
    const midpoint = (low + high) >> 1
    if ((rates[midpoint]?.day ?? '') <= day) low = midpoint + 1
    else high = midpoint
  }
  return rates[low - 1]
}
