import i18next from 'i18next'
import type { PriceBlockWire, VariantPricingWire } from '../../../src/contract/pricing.ts'
import { formatPercent } from '../../format.ts'
import { currentLanguage } from '../../i18n.ts'
import type { Tone } from '../../ui/badge.tsx'

export const PRICE_SOURCE_TONES: Readonly<Record<PriceBlockWire['source'], Tone>> = {
  market: 'good',
  estimate: 'warn',
  sample: 'violet',
}

/** How far deals are from the price, by the range that is shown beside it. */
export function deviationText(pricing: Pick<VariantPricingWire, 'resale' | 'buyback'>): string {
  const block = pricing.resale ?? pricing.buyback
  const [amount, range] = [block?.current.Good, block?.interval.Good]
  if (!amount || !range) return i18next.t('devices:price.noPrice')
  return i18next.t('devices:price.deviation', {
    below: formatPercent(1 - range.low / amount),
    above: formatPercent(range.high / amount - 1),
  })
}

/** The market of a price response. */
type PricedMarket = {
  readonly data_points: number
  readonly market?: { readonly code: string; readonly basis: 'observed' | 'borrowed' | 'estimated' }
}

/** Such as "prices of Croatia"; empty if the response names no market. */
export function marketText({ market }: PricedMarket): string {
  if (!market) return ''
  const countries = new Intl.DisplayNames(currentLanguage(), { type: 'region' })
  return i18next.t(`devices:market.${market.basis}`, {
    country: countries.of(market.code.toUpperCase()) ?? market.code,
  })
}

/** Below this confidence, and without any observed price, an amount is a guess. */
const MIN_ESTIMATE_CONFIDENCE = 20

/** A guess is shown as a range: a single number would look like knowledge. */
export const isGuess = (confidence: number, isObserved: boolean): boolean =>
  !isObserved && confidence < MIN_ESTIMATE_CONFIDENCE

/** Whether the price is more than a guess from similar devices. */
export const hasEstimate = (pricing: Pick<VariantPricingWire, 'market_confidence' | 'data_points'>): boolean =>
  !isGuess(pricing.market_confidence, pricing.data_points > 0)
