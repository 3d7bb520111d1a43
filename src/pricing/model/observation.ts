import type { DefectGrade, MarketGrade } from './grade.ts'

/** `ask`: what a seller hopes for; `sold`: what a buyer paid; `quote`: what a dealer offers to pay. */
export type PriceSide = 'ask' | 'sold' | 'quote'

export const PRICE_SIDES = ['ask', 'sold', 'quote'] as const satisfies readonly PriceSide[]

export type ListingState = 'active' | 'gone' | 'sold'

/** One observed price of a working device, in US cents. Only the newest of a listing is kept. */
export type Observation = {
  readonly source: string
  readonly side: PriceSide
  /** Code of the country's market. */
  readonly market: string
  readonly variantId: string
  readonly grade: MarketGrade
  /** The grade in the seller's words, normalized by `parseCondition`. */
  readonly label: string
  /** Network lock or carrier; empty when the source does not say. */
  readonly lock: string
  readonly cents: number
  readonly observedAt: number
  readonly listingId: string
  readonly state: ListingState
  /** When the listing was first seen, where the source tells; gives liquidity. */
  readonly listedAt: number | null
}

/** Whether the lock of a price is one: sources that say nothing list unlocked devices. */
export const isCarrierLocked = (lock: string) => lock !== '' && lock !== 'unlocked'

/** What kind of price it is. Millions of observations share a few hundred of these. */
export type ObservationTerms = Pick<Observation, 'side' | 'label' | 'lock' | 'state' | 'market'> & {
  readonly grade: MarketGrade | DefectGrade
  /** The currency the amount came in. */
  readonly currency: string
}

/** What an observation is of. */
export type ObservationSubject = {
  readonly deviceId: string
  readonly configuration: string
  /** Null where it fits several variants that differ in colour alone. */
  readonly variantId: string | null
}

/** An observation as a list brings it. */
export type NewObservation = Pick<Observation, 'source' | 'listingId' | 'cents' | 'observedAt' | 'listedAt'> & {
  readonly subject: ObservationSubject
  readonly terms: ObservationTerms
}

/**
 * Where a price comes from, as far as it shifts the price: never mix asks with sales, one market with another, or locked
 * with free phones. Rows of one channel share their offsets.
 */
export type ChannelFields = Pick<Observation, 'source' | 'side' | 'label' | 'lock' | 'market'>

export function channelOf({ source, side, label, lock, market }: ChannelFields): string {
  return `${source}\t${side}\t${label}\t${lock}\t${market}`
}

/** What the engine must know of a variant; everything but the ids may be unknown. */
export type VariantInput = {
  readonly variantId: string
  readonly listCents: number | null
  readonly storageGb: number | null
}

export type DeviceInput = {
  readonly deviceId: string
  readonly make: string
  readonly category: string
  readonly releasedAt: number | null
  /** How unsure the launch price is (ln) where it is not one: announced elsewhere, or taken from its line. */
  readonly launchPriceSpread?: number
  readonly variants: readonly VariantInput[]
}
