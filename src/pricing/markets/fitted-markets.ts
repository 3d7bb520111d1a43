import type { CountryMarkets } from '../model/country-markets.ts'
import type { FittedMarkets } from '../model/estimate.ts'
import type { FittedMarket } from '../model/market.ts'
import { priorMarket } from '../model/market-fit.ts'
import { PRICING_METHOD, PRIOR_FITTED_AT } from '../model/method.ts'
import type { Trade } from '../model/observation.ts'
import { PRIOR_COEFFICIENTS, type PriorCoefficients } from '../model/prior-coefficients.ts'
import type { PricingStore } from './pricing-store.ts'

export type LoadedMarkets = {
  readonly markets: CountryMarkets
  /** 0 without a fit. */
  readonly fittedAt: number
  /** Stored observations at the time of the fit. */
  readonly fittedObservations: number
}

/** Markets of the last full fit; the prior markets if there is no fit with this model version. */
export async function loadFittedMarkets(store: Pick<PricingStore, 'fits'>, now: number): Promise<LoadedMarkets> {
  const fits = (await store.fits()).filter(({ method }) => method === PRICING_METHOD)
  const readCountry = (country: string) => {
    const readSide = (trade: Trade) => {
      const fit = fits.find((each) => each.trade === fitName(trade, country))
      return fit && parseMarket(fit.document, trade, PRIOR_COEFFICIENTS)
    }
    const [resale, buyback] = [readSide('resale'), readSide('buyback')]
    return resale && buyback && { resale, buyback }
  }
  const world = readCountry('')
  if (!world) return { markets: { world: priorMarkets(now), byCountry: new Map() }, fittedAt: 0, fittedObservations: 0 }
  const countries = fits.flatMap(({ trade }) => trade.split(':')[1] ?? [])
  const byCountry = new Map<string, FittedMarkets>()
  for (const country of new Set(countries)) {
    const markets = readCountry(country)
    if (markets) byCountry.set(country, { ...markets, world })
  }
  const fittedObservations = fits[0]?.observations ?? 0
  return { markets: { world, byCountry }, fittedAt: world.resale.fittedAt, fittedObservations }
}

/** Name that a fit is stored under; an empty country means all countries together. */
const fitName = (trade: Trade, country: string) => (country === '' ? trade : `${trade}:${country}`)

/** All fits by the name they are stored under. */
export function serializeMarkets({ world, byCountry }: CountryMarkets): { trade: string; document: string }[] {
  const serialize = (country: string, { resale, buyback }: FittedMarkets) =>
    [resale, buyback].map((market) => ({ trade: fitName(market.trade, country), document: serializeMarket(market) }))
  return [...serialize('', world), ...[...byCountry].flatMap(([country, markets]) => serialize(country, markets))]
}

/** Resale and buyback market before any price was observed. */
export function priorMarkets(now: number): FittedMarkets {
  // No input of a price may be from the future, even if prices of a past day are computed.
  const fittedAt = Math.min(now, PRIOR_FITTED_AT)
  return {
    resale: { ...priorMarket('resale', PRIOR_COEFFICIENTS, now), fittedAt },
    buyback: { ...priorMarket('buyback', PRIOR_COEFFICIENTS, now), fittedAt },
  }
}

/** A fitted market as JSON. One process fits it, all processes use it. */
function serializeMarket(market: FittedMarket): string {
  const { prior: _, ...fitted } = market
  return JSON.stringify(fitted, (_key, value) => {
    if (value instanceof Map) return { map: [...value] }
    if (ArrayBuffer.isView(value)) return { numbers: Array.from(value as Float64Array) }
    return value
  })
}

/** The prior comes from the program, not from the stored document. Undefined if the document has another shape. */
function parseMarket(text: string, trade: Trade, prior: PriorCoefficients): FittedMarket | undefined {
  try {
    const parsed = JSON.parse(text, (_key, value) => {
      if (value && Array.isArray(value.map)) return new Map(value.map)
      if (value && Array.isArray(value.numbers)) return Float64Array.from(value.numbers)
      return value
    })
    return parsed.trade === trade && parsed.effects instanceof Map ? { ...parsed, prior } : undefined
  } catch {
    return undefined
  }
}
