import type { Device, Variant } from '../../catalog/device.ts'
import { CONDITIONS } from '../../contract/condition-grades.ts'
import type {
  CarrierLock,
  LaunchPriceBasis,
  PriceBlockWire,
  PricingType,
  ResaleBlockWire,
  VariantPricingWire,
} from '../../contract/pricing.ts'
import { dayOf, isoInstant, isoInstantOrNull } from '../../lib/time.ts'
import { findMarket } from '../country-market.ts'
import type { MarketFitState } from '../markets/market-fit-state.ts'
import { isContributed } from '../model/source-weights.ts'
import type { HeldDeal } from './held-deals.ts'
import { OWN_SOURCE, type Quote, type SideQuote } from './quote.ts'

const CURRENCY = 'USD'

export function presentPricing(
  device: Device,
  variant: Variant,
  quote: Quote,
  type: PricingType,
  lock: CarrierLock = 'unlocked',
  { fit, heldDeals = [] }: PricingState = {},
): VariantPricingWire {
  const { trend, liquidityScore } = quote.resale
  const resale: ResaleBlockWire = { ...presentBlock(quote.resale), trend, liquidity_score: liquidityScore }
  const sources = quote.sources.filter(({ trade }) => type === 'both' || type === trade)
  return {
    variant_id: variant.id,
    device_name: device.name,
    variant_name: variant.name,
    ...(type === 'resale' ? {} : { buyback: presentBlock(quote.buyback) }),
    ...(type === 'buyback' ? {} : { resale }),
    market_confidence: quote.marketConfidence,
    data_points: quote.dataPoints,
    source_count: new Set(sources.map(({ source }) => source)).size,
    sources: presentSources(sources),
    launch_price_basis: launchPriceBasis(device, quote),
    market: presentMarket(quote.market),
    ...(heldDeals.length > 0 && { held_deals: heldDeals.slice(0, MAX_HELD_DEALS).map(presentHeldDeal) }),
    provisional: quote.isProvisional ?? false,
    fit: { as_of: isoInstantOrNull(fit?.fittedAt ?? null), observations_since: fit?.observationsSince ?? 0 },
    lock,
    currency: CURRENCY,
    method: quote.method,
  }
}

const MAX_SOURCES = 10
const MAX_HELD_DEALS = 20

/** What a response says beside the price. */
type PricingState = { readonly fit?: MarketFitState | undefined; readonly heldDeals?: readonly HeldDeal[] }

const presentHeldDeal = ({ appraisalId, trade, cents, expectedCents, observedAt }: HeldDeal) => ({
  appraisal_id: appraisalId,
  side: trade,
  price: cents,
  expected: expectedCents,
  date: dayOf(observedAt),
})

/** Contributing organizations are not named. */
function presentSources(sources: Quote['sources']): VariantPricingWire['sources'] {
  return sources.slice(0, MAX_SOURCES).map(({ source, trade, observations, recent, newestAt, goodCents, weight }) => ({
    name: source === OWN_SOURCE || isContributed(source) ? null : source,
    kind: source === OWN_SOURCE ? 'own' : isContributed(source) ? 'contributed' : 'list',
    side: trade,
    observations,
    recent,
    newest: isoInstant(newestAt),
    good: goodCents,
    weight: Math.round(100 * weight),
  }))
}

function launchPriceBasis({ variants }: Device, { resale }: Quote): LaunchPriceBasis | null {
  if (variants.some(({ listCents }) => listCents > 0)) return 'list'
  if (variants.some(({ announcedCents }) => announcedCents !== undefined)) return 'announced'
  return resale.cents === null ? null : 'estimated'
}

export function presentMarket({ code, basis, observations }: Quote['market']): VariantPricingWire['market'] {
  return { code, basis, tax_included: findMarket(code)?.taxIncluded ?? false, observations }
}

/** The same amounts marked as an estimate, for a variant without observations of its own. */
export function asEstimate(quote: Quote): Quote {
  const toEstimate = <Side extends SideQuote>(side: Side): Side => ({ ...side, history: [], source: 'estimate' })
  return {
    ...quote,
    buyback: toEstimate(quote.buyback),
    resale: toEstimate(quote.resale),
    dataPoints: 0,
    sources: [],
  }
}

function presentBlock(side: SideQuote): PriceBlockWire {
  const { cents, interval } = side
  const each = <Value>(value: (condition: (typeof CONDITIONS)[number]) => Value) => ({
    Excellent: value(CONDITIONS[0]),
    Good: value(CONDITIONS[1]),
    Fair: value(CONDITIONS[2]),
    Poor: value(CONDITIONS[3]),
  })
  return {
    current: each((condition) => cents?.[condition] ?? null),
    interval: each((condition) => interval?.[condition] ?? null),
    historical: side.history.map(({ date, cents: value, condition }) => ({
      date,
      value,
      currency: CURRENCY,
      condition,
    })),
    last_updated: isoInstant(side.newestAt ?? side.fittedAt),
    source: side.source,
  }
}
