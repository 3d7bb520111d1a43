import type { Device, Variant } from '../../catalog/device.ts'
import type { Condition } from '../../contract/grades.ts'
import { dayNumber } from '../../time.ts'
import type { Markets } from '../engine/estimate.ts'
import type { DeviceFacts, Observation } from '../engine/observation.ts'
import { configurationOf } from '../market/configuration.ts'
import { unobserved } from './present.ts'
import { type PriceRange, type PriceSource, type Quote, quoteDevice, quoteWithSample, type SideQuote } from './quote.ts'

export type Resale = { readonly goodCents: number; readonly poorCents: number }

/** An observation that may tell which variant of its configuration it was of. */
export type VariantObservation = Observation & { readonly exactVariantId: string | null }

/** All that is known of the prices of one device, until something about it changes. */
export type DeviceQuotes = {
  readonly device: Device
  /** Prices sink from day to day, so quotes are of a day. */
  readonly day: number
  readonly byConfiguration: ReadonlyMap<string, PackedQuote>
  /** Observations of each variant itself, and by configuration those whose colour nobody told; null where none is real. */
  readonly own: { readonly byVariant: Counts; readonly byConfiguration: Counts } | null
}

type Counts = ReadonlyMap<string, number>

/**
 * A quote is some hundred small objects, and thousands of them live for hours among the garbage of each request: as one text
 * each they leave no holes in memory that cannot be given back. What is asked for often is made into an answer and kept as that.
 */
type PackedQuote = { readonly text: string; readonly resale: Resale | null }

export type Evidence =
  | { readonly real: readonly VariantObservation[] }
  /** Nobody has observed the device; where samples are off there are none of those either. */
  | { readonly sample: readonly Observation[] }

export function deviceQuotes(
  device: Device,
  facts: DeviceFacts,
  markets: Markets,
  evidence: Evidence,
  now: number,
): DeviceQuotes {
  const isReal = 'real' in evidence
  const quotes = isReal
    ? quoteDevice(markets, facts, evidence.real, now)
    : evidence.sample.length
      ? quoteWithSample(markets, facts, evidence.sample, now)
      : quoteDevice(markets, facts, [], now)
  return {
    device,
    day: dayNumber(now),
    byConfiguration: new Map(quotes.map((quote) => [quote.variantId, pack(quote)])),
    own: isReal ? countOwn(evidence.real) : null,
  }
}

function pack(quote: Quote): PackedQuote {
  const { cents } = quote.resale
  return { text: JSON.stringify(quote), resale: cents && { goodCents: cents.Good, poorCents: cents.Poor } }
}

function countOwn(rows: readonly VariantObservation[]): { byVariant: Counts; byConfiguration: Counts } {
  const byVariant = new Map<string, number>()
  const byConfiguration = new Map<string, number>()
  for (const { exactVariantId, variantId } of rows) {
    if (exactVariantId === null) byConfiguration.set(variantId, (byConfiguration.get(variantId) ?? 0) + 1)
    else byVariant.set(exactVariantId, (byVariant.get(exactVariantId) ?? 0) + 1)
  }
  return { byVariant, byConfiguration }
}

/** The quote of a variant: its configuration's, said to be derived where the variant itself was not observed. */
export function quoteOf({ byConfiguration, own }: DeviceQuotes, variant: Variant): Quote | undefined {
  const configuration = configurationOf(variant)
  const packed = byConfiguration.get(configuration)
  const quote: Quote | undefined = packed && JSON.parse(packed.text)
  if (!quote || !own) return quote
  const count = (own.byVariant.get(variant.id) ?? 0) + (own.byConfiguration.get(configuration) ?? 0)
  return count === 0 ? unobserved(quote) : { ...quote, dataPoints: Math.min(quote.dataPoints, count) }
}

export function resaleIn({ byConfiguration }: DeviceQuotes, variant: Variant): Resale | null {
  return byConfiguration.get(configurationOf(variant))?.resale ?? null
}

/** What an appraisal needs of a quote: no history, and small enough to be held as it is. */
export type Worth = {
  readonly resale: SideWorth | null
  readonly buyback: SideWorth | null
  readonly liquidityScore: number
  readonly driftPerMonth: number
  readonly source: PriceSource
  readonly marketConfidence: number
}

export type SideWorth = Readonly<Record<Condition, PriceRange & { readonly amount: number }>>

const worthsOf = new WeakMap<DeviceQuotes, Map<string, Worth>>()

/** Read once for each variant that is asked for, and forgotten with the quotes it was read from. */
export function worthIn(quotes: DeviceQuotes, variant: Variant): Worth | undefined {
  let known = worthsOf.get(quotes)
  if (!known) {
    known = new Map()
    worthsOf.set(quotes, known)
  }
  const worth = known.get(variant.id)
  if (worth) return worth
  const quote = quoteOf(quotes, variant)
  if (!quote) return undefined
  const made: Worth = {
    resale: sideWorth(quote.resale),
    buyback: sideWorth(quote.buyback),
    liquidityScore: quote.resale.liquidityScore,
    driftPerMonth: quote.resale.driftPerMonth,
    source: quote.resale.source,
    marketConfidence: quote.marketConfidence,
  }
  known.set(variant.id, made)
  return made
}

function sideWorth({ cents, interval }: SideQuote): SideWorth | null {
  if (!cents || !interval) return null
  const of = (condition: Condition) => ({ amount: cents[condition], ...interval[condition] })
  return { Excellent: of('Excellent'), Good: of('Good'), Fair: of('Fair'), Poor: of('Poor') }
}
