import type { Device, Variant } from '../../catalog/device.ts'
import type { Condition } from '../../contract/condition-grades.ts'
import type { CarrierLock } from '../../contract/pricing.ts'
import { dayNumber } from '../../lib/time.ts'
import { configurationOf } from '../configuration.ts'
import type { FittedMarkets } from '../model/estimate.ts'
import type { DeviceInput, Observation } from '../model/observation.ts'
import { withoutQuarantined } from '../model/source-quarantine.ts'
import { quoteWithLock } from './carrier-lock.ts'
import {
  type DefectiveObservation,
  isWorkingObservation,
  type ObservedDefectRatio,
  observedDefectRatios,
} from './observed-defects.ts'
import { believedOwnRows, type OwnLevels, withOwnPrices } from './own-prices.ts'
import { asEstimate } from './present.ts'
import {
  type PriceRange,
  type PriceSource,
  type Quote,
  quoteDevice,
  quoteWithSampleHistory,
  type SideQuote,
} from './quote.ts'

export type GoodAndPoorResale = { readonly goodCents: number; readonly poorCents: number }

/** An observation that may tell which variant of its configuration it was of. */
export type VariantObservation = Observation & { readonly exactVariantId: string | null }

/** All that is known of the prices of one device, until something about it changes. */
export type DeviceQuotes = {
  readonly device: Device
  /** Prices sink from day to day, so quotes are of a day. */
  readonly day: number
  readonly byConfiguration: ReadonlyMap<string, PackedQuote>
  /** Observations of each variant itself, and by configuration those whose colour nobody told; null where none is real. */
  readonly observationCounts: { readonly byVariant: Counts; readonly byConfiguration: Counts } | null
  readonly defectRatios: readonly ObservedDefectRatio[]
}

type Counts = ReadonlyMap<string, number>

/**
 * A quote is some hundred small objects, and thousands of them live for hours among the garbage of each request: as one text
 * each they leave no holes in memory that cannot be given back. What is asked for often is made into an answer and kept as that.
 */
type PackedQuote = { readonly text: string; readonly resale: GoodAndPoorResale | null }

export type PriceEvidence =
  | { readonly real: readonly (VariantObservation | DefectiveObservation)[] }
  /** Nobody has observed the device; where samples are off there are none of those either. */
  | { readonly sample: readonly Observation[] }

export function deviceQuotes(
  device: Device,
  facts: DeviceInput,
  markets: FittedMarkets,
  evidence: PriceEvidence,
  now: number,
  own?: { readonly rows: readonly VariantObservation[]; readonly levels: OwnLevels },
): DeviceQuotes {
  const isHere = ({ market }: Pick<Observation, 'market'>) => market === markets.resale.country
  const rows = 'real' in evidence ? evidence.real : null
  const real = rows && withoutQuarantined(markets, facts, rows.filter(isWorkingObservation), now)
  const common = !('sample' in evidence)
    ? quoteDevice(markets, facts, real ?? [], now)
    : evidence.sample.length
      ? quoteWithSampleHistory(markets, facts, evidence.sample, now)
      : quoteDevice(markets, facts, [], now)
  const ownRows = own ? believedOwnRows(common, own.rows, own.levels, now) : []
  const quotes = own ? withOwnPrices(common, facts, ownRows, own.levels, now) : common
  return {
    device,
    day: dayNumber(now),
    byConfiguration: new Map(quotes.map((quote) => [quote.variantId, pack(quote)])),
    observationCounts: real && countObservations(real.filter(isHere), ownRows),
    defectRatios: observedDefectRatios(
      rows?.filter(isHere).filter((row) => !isWorkingObservation(row)) ?? [],
      new Map(quotes.map((quote) => [quote.variantId, quote])),
      now,
    ),
  }
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

/** The quote of a variant: its configuration's, said to be derived where the variant itself was not observed. */
export function quoteForVariant(
  { byConfiguration, observationCounts: own }: DeviceQuotes,
  variant: Variant,
): Quote | undefined {
  const configuration = configurationOf(variant)
  const packed = byConfiguration.get(configuration)
  const quote: Quote | undefined = packed && JSON.parse(packed.text)
  if (!quote || !own) return quote
  const count = (own.byVariant.get(variant.id) ?? 0) + (own.byConfiguration.get(configuration) ?? 0)
  return count === 0 ? asEstimate(quote) : { ...quote, dataPoints: Math.min(quote.dataPoints, count) }
}

/** The quotes of all configurations. */
export const configurationQuotes = ({ byConfiguration }: DeviceQuotes): Quote[] =>
  [...byConfiguration.values()].map(({ text }) => JSON.parse(text))

export function resaleForVariant({ byConfiguration }: DeviceQuotes, variant: Variant): GoodAndPoorResale | null {
  return byConfiguration.get(configurationOf(variant))?.resale ?? null
}

/** What an appraisal needs of a quote: no history, and small enough to be held as it is. */
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

const valueCache = new WeakMap<DeviceQuotes, Map<string, VariantValue>>()

/** Parsed once per variant and lock; the cache lives as long as the quotes. */
export function valueForVariant(
  quotes: DeviceQuotes,
  variant: Variant,
  lock: CarrierLock = 'unlocked',
): VariantValue | undefined {
  let cached = valueCache.get(quotes)
  if (!cached) {
    cached = new Map()
    valueCache.set(quotes, cached)
  }
  const key = `${variant.id}\t${lock}`
  const known = cached.get(key)
  if (known) return known
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
  cached.set(key, value)
  return value
}

function conditionValues({ cents, interval }: SideQuote): ConditionValues | null {
  if (!cents || !interval) return null
  const of = (condition: Condition) => ({ amount: cents[condition], ...interval[condition] })
  return { Excellent: of('Excellent'), Good: of('Good'), Fair: of('Fair'), Poor: of('Poor') }
}
