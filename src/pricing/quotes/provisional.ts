/** Prices that rest on observations which no fit of the market has seen. */
import { CONDITIONS, type Condition } from '../../contract/condition-grades.ts'
import type { PriceRange, Quote, SideQuote } from './quote.ts'

/** How current the fit of the markets is. */
export type MarketFitState = {
  /** When the markets were fitted; null before the first fit. */
  readonly fittedAt: number | null
  /** Observations that were added since. */
  readonly observationsSince: number
  /** Whether so many were added that levels and ranges may be wrong. */
  readonly isOutdated: boolean
}

/** If the number of observations grows by this factor, the next fit does not wait for the night. */
export const REFIT_GROWTH = 1.25
/** Fewer new observations are as uncertain as those before them. */
const MIN_NEW_OBSERVATIONS = 50

/** `fit`: the last fit of this version of the model, if there is one. */
export function marketFitState(
  fit: { readonly fittedAt: number; readonly observations: number } | undefined,
  observations: number,
): MarketFitState {
  const observationsSince = Math.max(0, observations - (fit?.observations ?? 0))
  return {
    fittedAt: fit?.fittedAt ?? null,
    observationsSince,
    isOutdated: observationsSince >= MIN_NEW_OBSERVATIONS && (!fit || observations > fit.observations * REFIT_GROWTH),
  }
}

/** A provisional quote is as uncertain as one without observations. `first`: the same variant without any. */
export function asProvisional(quote: Quote, first: Quote): Quote {
  return {
    ...quote,
    resale: widened(quote.resale, first.resale),
    buyback: widened(quote.buyback, first.buyback),
    marketConfidence: Math.min(quote.marketConfidence, first.marketConfidence),
    isProvisional: true,
  }
}

function widened<Side extends SideQuote>(side: Side, first: SideQuote): Side {
  const { cents, interval } = side
  if (!cents || !interval || !first.cents || !first.interval) return side
  const ranges: Record<Condition, PriceRange> = { ...interval }
  for (const condition of CONDITIONS) {
    const amount = Math.max(1, cents[condition])
    const firstAmount = Math.max(1, first.cents[condition])
    const { low, high } = first.interval[condition]
    ranges[condition] = {
      low: Math.min(interval[condition].low, Math.floor((amount * low) / firstAmount)),
      high: Math.max(interval[condition].high, Math.ceil((amount * high) / firstAmount)),
    }
  }
  return { ...side, interval: ranges }
}
