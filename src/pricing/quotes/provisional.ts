/** Prices that rest on observations which no fit of the market has seen. */
import { CONDITIONS, type Condition } from '../../contract/condition-grades.ts'
import type { PriceRange, Quote, SideQuote } from './quote.ts'

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
