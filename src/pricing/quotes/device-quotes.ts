import type { Device, Variant } from '../../catalog/device.ts'
import type { Condition } from '../../contract/condition-grades.ts'
import type { CarrierLock } from '../../contract/pricing.ts'
import { memoizeWeak } from '../../lib/memoize.ts'
import { dayNumber } from '../../lib/time.ts'
import { configurationOf } from '../configuration.ts'
import { isPriceOf } from '../country-market.ts'
import type { FittedMarkets } from '../model/estimate.ts'
import type { DeviceInput, Observation } from '../model/observation.ts'
import { withoutQuarantined } from '../model/source-quarantine.ts'
import { quoteWithLock } from './carrier-lock.ts'
import { type DealOfAppraisal, type HeldDeal, splitHeldDeals } from './held-deals.ts'
import {
  type DefectiveObservation,
  isWorkingObservation,
  type ObservedDefectRatio,
  observedDefectRatios,
} from './observed-defects.ts'
import type { OwnLevels } from './own-levels.ts'
import { withOwnPrices } from './own-prices.ts'
import { asEstimate } from './present.ts'
import { newPricesOf, type UnitsPerUsd, withinBounds } from './price-bounds.ts'
import { asProvisional } from './provisional.ts'
import {
  type PriceRange,
  type PriceSource,
  type Quote,
  quoteDevice,
  quoteWithSampleHistory,
  type SideQuote,
} from './quote.ts'

export type GoodAndPoorResale = { readonly goodCents: number; readonly poorCents: number }

/** An observation with the exact variant of its configuration, if known. */
export type VariantObservation = Observation & {
  readonly exactVariantId: string | null
  /** Says nothing about other devices, as the importer of its list chose. */
  readonly isLocal?: boolean
  /** Set for a price of a deal. */
  readonly deal?: DealOfAppraisal
}

/** Cached quotes of one device, valid until an input changes. */
export type DeviceQuotes = {
  readonly device: Device
  /** Day the quotes were computed for, because prices depend on the date. */
  readonly day: number
  readonly byConfiguration: ReadonlyMap<string, PackedQuote>
  /** Observations per variant, and per configuration those of unknown color; null if there are no real observations. */
  readonly observationCounts: { readonly byVariant: Counts; readonly byConfiguration: Counts } | null
  readonly defectRatios: readonly ObservedDefectRatio[]
  /** Own deals of the device that do not count. */
  readonly heldDeals: readonly HeldDeal[]
}

type Counts = ReadonlyMap<string, number>

/**
 * A quote consists of about a hundred small objects, and thousands of quotes live for hours. Stored as one string each, they do
 * not fragment the heap. Frequently requested quotes are cached as responses.
 */
type PackedQuote = { readonly text: string; readonly resale: GoodAndPoorResale | null }

export type PriceEvidence =
  | { readonly real: readonly (VariantObservation | DefectiveObservation)[] }
  /** The device was never observed; empty if sample data is off. */
  | { readonly sample: readonly Observation[] }

export type QuoteTerms = {
  readonly ownPrices?: { readonly rows: readonly VariantObservation[]; readonly levels: OwnLevels } | undefined
  /** For list prices of the market in its own currency. */
  readonly unitsPerUsd?: UnitsPerUsd
  /** Whether many observations were added since the markets were fitted. */
  readonly isFitOutdated?: boolean
}

const noRates: UnitsPerUsd = () => null

/** The quotes that are served: common prices, moved by own ones, within the bounds of all prices. */
export function deviceQuotes(
  device: Device,
  facts: DeviceInput,
  markets: FittedMarkets,
  evidence: PriceEvidence,
  now: number,
  { ownPrices, unitsPerUsd = noRates, isFitOutdated = false }: QuoteTerms = {},
): DeviceQuotes {
  const isInMarket = ({ market }: Pick<Observation, 'market'>) => isPriceOf(markets.resale.country, market)
  const rows = 'real' in evidence ? evidence.real : null
  const real = rows && withoutQuarantined(markets, facts, rows.filter(isWorkingObservation), now)
  const common = !('sample' in evidence)
    ? observedQuotes(markets, facts, real ?? [], now, isFitOutdated && real?.some(isInMarket) === true)
    : evidence.sample.length
      ? quoteWithSampleHistory(markets, facts, evidence.sample, now)
      : quoteDevice(markets, facts, [], now)
  const { counted, held } = splitHeldDeals(common, ownPrices?.rows ?? [], now)
  const { quotes: unbounded, acceptedRows: ownRows } = ownPrices
    ? withOwnPrices(facts, common, counted, ownPrices.levels, now)
    : { quotes: common, acceptedRows: [] }
  const newPrices = newPricesOf(device, markets.resale.country, unitsPerUsd)
  const quotes = unbounded.map((quote, at) => withinBounds(quote, common[at] as Quote, newPrices.get(quote.variantId)))
  return {
    device,
    day: dayNumber(now),
    heldDeals: held,
    byConfiguration: new Map(quotes.map((quote) => [quote.variantId, pack(quote)])),
    observationCounts: real && countObservations(real.filter(isInMarket), ownRows),
    defectRatios: observedDefectRatios(
      rows?.filter(isInMarket).filter((row) => !isWorkingObservation(row)) ?? [],
      new Map(quotes.map((quote) => [quote.variantId, quote])),
      now,
    ),
  }
}

function observedQuotes(
  markets: FittedMarkets,
  facts: DeviceInput,
  rows: readonly Observation[],
  now: number,
  isProvisional: boolean,
): Quote[] {
  const quotes = quoteDevice(markets, facts, rows, now)
  if (!isProvisional) return quotes
  const first = quoteDevice(markets, facts, [], now)
  return quotes.map((quote, at) => asProvisional(quote, first[at] as Quote))
}

function pack(quote: Quote): PackedQuote {
  const { cents } = quote.resale
  return { text: JSON.stringify(quote), resale: cents && { goodCents: cents.Good, poorCents: cents.Poor } }
}

function countObservations(
  common: readonly VariantObservation[],
  own: readonly VariantObservation[],
): { byVariant: Counts; byConfiguration: Counts } {
  const byVariant = new Map<string, number>()
  const byConfiguration = new Map<string, number>()
  for (const { exactVariantId, variantId } of [...common, ...own]) {
    if (exactVariantId === null) byConfiguration.set(variantId, (byConfiguration.get(variantId) ?? 0) + 1)
    else byVariant.set(exactVariantId, (byVariant.get(exactVariantId) ?? 0) + 1)
  }
  return { byVariant, byConfiguration }
}

/** The quote of a variant is that of its configuration, marked as an estimate if the variant itself was not observed. */
export function quoteForVariant(
  { byConfiguration, observationCounts }: DeviceQuotes,
  variant: Variant,
): Quote | undefined {
  const configuration = configurationOf(variant)
  const packed = byConfiguration.get(configuration)
  const quote: Quote | undefined = packed && JSON.parse(packed.text)
  if (!quote || !observationCounts) return quote
  const count =
    (observationCounts.byVariant.get(variant.id) ?? 0) + (observationCounts.byConfiguration.get(configuration) ?? 0)
  return count === 0 ? asEstimate(quote) : { ...quote, dataPoints: Math.min(quote.dataPoints, count) }
}

/** The quotes of all configurations. */
export const configurationQuotes = ({ byConfiguration }: DeviceQuotes): Quote[] =>
  [...byConfiguration.values()].map(({ text }) => JSON.parse(text))

export function resaleForVariant({ byConfiguration }: DeviceQuotes, variant: Variant): GoodAndPoorResale | null {
  return byConfiguration.get(configurationOf(variant))?.resale ?? null
}

/** The part of a quote that appraisals use: no history, and small enough to cache as an object. */
export type VariantValue = {
  readonly resale: ConditionValues | null
  readonly buyback: ConditionValues | null
  readonly liquidityScore: number
  readonly driftPerMonth: number
  readonly source: PriceSource
  readonly marketConfidence: number
  readonly market: Quote['market']
  /** Observed prices of defective devices of this model. */
  readonly defectRatios?: readonly ObservedDefectRatio[]
}

export type ConditionValues = Readonly<Record<Condition, PriceRange & { readonly amount: number }>>

const valueCache = memoizeWeak((_: DeviceQuotes) => new Map<string, VariantValue>())

/** Parsed once per variant and lock; the cache lives as long as the quotes. */
export function valueForVariant(
  quotes: DeviceQuotes,
  variant: Variant,
  lock: CarrierLock = 'unlocked',
): VariantValue | undefined {
  const values = valueCache(quotes)
  const key = `${variant.id}\t${lock}`
  const cached = values.get(key)
  if (cached) return cached
  const unlocked = quoteForVariant(quotes, variant)
  if (!unlocked) return undefined
  const quote = quoteWithLock(unlocked, lock)
  const value: VariantValue = {
    resale: conditionValues(quote.resale),
    buyback: conditionValues(quote.buyback),
    liquidityScore: quote.resale.liquidityScore,
    driftPerMonth: quote.resale.driftPerMonth,
    source: quote.resale.source,
    marketConfidence: quote.marketConfidence,
    market: quote.market,
    defectRatios: quotes.defectRatios,
  }
  values.set(key, value)
  return value
}

function conditionValues({ cents, interval }: SideQuote): ConditionValues | null {
  if (!cents || !interval) return null
  const valueIn = (condition: Condition) => ({ amount: cents[condition], ...interval[condition] })
  return { Excellent: valueIn('Excellent'), Good: valueIn('Good'), Fair: valueIn('Fair'), Poor: valueIn('Poor') }
}
