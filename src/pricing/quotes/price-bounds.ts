/** What holds for every price that is served, whatever it was learned from. */
import type { Device, Variant } from '../../catalog/device.ts'
import { CONDITIONS, type Condition } from '../../contract/condition-grades.ts'
import { configurationOf } from '../configuration.ts'
import { shownTaxRate } from '../country-market.ts'
import type { PriceRange, Quote, SideQuote } from './quote.ts'

/** Units of a currency for one US dollar; null if there is no rate. */
export type UnitsPerUsd = (currency: string) => number | null

/** So many common observations of a variant prove that a new one costs at least as much: scarce devices sell above list. */
const MIN_OBSERVATIONS = 5

/**
 * What a variant costs new in a market, in US cents with the tax that prices show there: its list price in that market, else that
 * of the US or the announced one with tax. Null if none is known.
 */
function newPriceCents(variant: Variant, marketCode: string, unitsPerUsd: UnitsPerUsd): number | null {
  const local = variant.listPrices?.find((listed) => listed.market === marketCode)
  const units = local && unitsPerUsd(local.currency)
  if (local && units) return Math.floor((100 * local.amount) / units)
  const cents = variant.listCents || (variant.announcedCents ?? 0)
  return cents > 0 ? Math.floor(cents * (1 + shownTaxRate(marketCode))) : null
}

/** The lowest price of a new variant of each configuration. */
export function newPricesOf(device: Device, marketCode: string, unitsPerUsd: UnitsPerUsd): ReadonlyMap<string, number> {
  const prices = new Map<string, number>()
  for (const variant of device.variants) {
    const cents = newPriceCents(variant, marketCode, unitsPerUsd)
    const configuration = configurationOf(variant)
    if (cents !== null) prices.set(configuration, Math.min(cents, prices.get(configuration) ?? cents))
  }
  return prices
}

/**
 * A quote within its bounds: no used device costs more than a new one, no grade more than a better one, and no dealer pays more than
 * a device sells for. `common`: the quote without own prices.
 */
export function withinBounds(quote: Quote, common: Quote, newCents: number | undefined): Quote {
  const isProven = common.resale.source === 'market' && common.dataPoints >= MIN_OBSERVATIONS
  const proven = isProven ? common.resale.cents : null
  const resale = boundedSide(quote.resale, (condition) =>
    newCents === undefined ? Number.POSITIVE_INFINITY : Math.max(newCents, proven?.[condition] ?? 0),
  )
  const buyback = boundedSide(quote.buyback, (condition) => resale.cents?.[condition] ?? Number.POSITIVE_INFINITY)
  return resale === quote.resale && buyback === quote.buyback ? quote : { ...quote, resale, buyback }
}

/** The same side if nothing changes. */
function boundedSide<Side extends SideQuote>(side: Side, limitOf: (condition: Condition) => number): Side {
  const { cents, interval } = side
  if (!cents || !interval) return side
  let limit = Number.POSITIVE_INFINITY
  let isChanged = false
  const amounts = { ...cents }
  const ranges: Record<Condition, PriceRange> = { ...interval }
  for (const condition of CONDITIONS) {
    limit = Math.min(limit, limitOf(condition))
    if (cents[condition] > limit) {
      isChanged = true
      amounts[condition] = limit
      ranges[condition] = { ...interval[condition], low: Math.min(interval[condition].low, limit) }
    }
    limit = Math.min(limit, amounts[condition])
  }
  return isChanged ? { ...side, cents: amounts, interval: ranges } : side
}
