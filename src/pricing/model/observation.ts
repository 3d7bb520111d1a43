import type { DefectGrade, MarketGrade } from '../../catalog/grade.ts'

/** `ask`: asking price; `sold`: price paid; `quote`: a dealer's offer to buy. */
export type PriceSide = 'ask' | 'sold' | 'quote'

export const PRICE_SIDES = ['ask', 'sold', 'quote'] as const satisfies readonly PriceSide[]

/** Side of the trade: a shop's resale prices, or the prices at which dealers buy. */
export type Trade = 'resale' | 'buyback'

export const tradeOf = ({ side }: { readonly side: PriceSide }): Trade => (side === 'quote' ? 'buyback' : 'resale')

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
  /** Network lock or carrier; empty if the source does not state it. */
  readonly lock: string
  readonly cents: number
  readonly observedAt: number
  readonly listingId: string
  readonly state: ListingState
  /** When the listing was first seen, if known; used for liquidity. */
  readonly listedAt: number | null
}

/** Whether a price is of a locked device. Sources that do not state a lock list unlocked devices. */
export const isCarrierLocked = (lock: string) => lock !== '' && lock !== 'unlocked'

/** Kind of a price. Millions of observations share a few hundred of these. */
export type ObservationTerms = Pick<Observation, 'side' | 'label' | 'lock' | 'state' | 'market'> & {
  readonly grade: MarketGrade | DefectGrade
  /** Original currency of the amount. */
  readonly currency: string
}

/** The device and variant of an observation. */
export type ObservationSubject = {
  readonly deviceId: string
  readonly configuration: string
  /** Null if it fits several variants that differ only in color. */
  readonly variantId: string | null
}

/** An imported observation. */
export type NewObservation = Pick<Observation, 'source' | 'listingId' | 'cents' | 'observedAt' | 'listedAt'> & {
  readonly subject: ObservationSubject
  readonly terms: ObservationTerms
}

/**
 * Properties of the origin that shift the price: asks and sales, sources, and locked and unlocked phones are never mixed.
 * Rows of one channel share their offsets.
 */
export type ChannelFields = Pick<Observation, 'source' | 'side' | 'label' | 'lock' | 'market'>

export function channelOf({ source, side, label, lock, market }: ChannelFields): string {
  return `${source}\t${side}\t${label}\t${lock}\t${market}`
}

/** Facts about a variant that the model uses; everything except the ids may be unknown. */
export type VariantInput = {
  readonly variantId: string
  readonly listCents: number | null
  readonly storageGb: number | null
  readonly ramGb?: number | null
  /** Everything else that affects the price. */
  readonly otherAttributes?: string
}

export type DeviceInput = {
  readonly deviceId: string
  readonly make: string
  readonly category: string
  readonly releasedAt: number | null
  /** Size of the sensor of a camera, in the words of its specifications. */
  readonly sensor?: string | undefined
  /** Graphics chips of a laptop. */
  readonly graphics?: string | undefined
  /** Standard deviation (ln) of a launch price that is estimated, from another country or from the product line. */
  readonly launchPriceSpread?: number
  readonly variants: readonly VariantInput[]
}
