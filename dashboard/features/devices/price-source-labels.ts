import type { PriceBlockWire } from '../../../src/contract/pricing.ts'
import type { Tone } from '../../ui/badge.tsx'

export const PRICE_SOURCE_LABELS: Readonly<Record<PriceBlockWire['source'], { tone: Tone; text: string }>> = {
  market: { tone: 'good', text: 'based on observed prices of this variant' },
  estimate: { tone: 'warn', text: 'estimated: no observed prices of this variant' },
  sample: { tone: 'violet', text: 'estimated from launch price and age; the history is simulated' },
}

export function confidenceText(confidence: number): string {
  if (confidence === 0) return 'no price available'
  return `about ${Math.round((100 - confidence) / 4)} % expected error`
}

/** The market of a price response. */
type PricedMarket = {
  readonly data_points: number
  readonly market?: { readonly code: string; readonly basis: 'observed' | 'borrowed' | 'estimated' }
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' })

/** Such as "prices of Croatia"; empty if the response names no market. */
export function marketText({ market }: PricedMarket): string {
  if (!market) return ''
  const country = countryNames.of(market.code.toUpperCase()) ?? market.code
  if (market.basis === 'observed') return `prices of ${country}`
  if (market.basis === 'borrowed') return `prices of other countries at the expected level of ${country}`
  return `estimated for ${country}`
}
