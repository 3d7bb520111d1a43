import { YEAR_MS } from '../lib/time.ts'
import { expertShare } from './model/prior.ts'

/** A graphics card and what it cost at launch. */
export type PricedCard = {
  readonly id: string
  readonly make: string
  readonly performance: number
  readonly memoryGb: number
  readonly releasedAt: number
  readonly cents: number
  /** The launch price is an estimate, which limits no other card. */
  readonly isEstimated: boolean
}

/** Launch price and release date to calculate with. */
export type CardPrice = Pick<PricedCard, 'cents' | 'releasedAt'>

/** A slower card is worth at most this share of a faster one. */
const SLOWER_SHARE = 0.98
/** Cards are compared at this age of the newest one. */
const COMPARED_AFTER = YEAR_MS
/** Cards of one generation appear within this time. Older ones limit nothing: newer cards need less power and can do more. */
const GENERATION_MS = 1.6 * YEAR_MS

/** Cards with this much memory are also bought for computing. */
const COMPUTING_MEMORY_GB = 24
/** While no card of any make is faster, used ones keep more; our estimate. */
const FASTEST_PREMIUM = 1.05

/** Cards for computing that no faster card with as much memory replaces for the same money lose no more than the newest card. */
function scarceCardPrices(cards: readonly PricedCard[]): ReadonlyMap<string, CardPrice> {
  const listed = cards.filter(({ isEstimated }) => !isEstimated)
  const newest = Math.max(0, ...listed.map(({ releasedAt }) => releasedAt))
  return new Map(
    listed
      .filter(({ memoryGb }) => memoryGb >= COMPUTING_MEMORY_GB)
      .flatMap((card): [string, CardPrice][] => {
        const faster = listed.filter(({ performance }) => performance > card.performance)
        const isReplaced = faster.some(({ memoryGb, cents }) => memoryGb >= card.memoryGb && cents <= card.cents)
        const premium = faster.length === 0 ? FASTEST_PREMIUM : 1
        return isReplaced ? [] : [[card.id, { cents: Math.round(card.cents * premium), releasedAt: newest }]]
      }),
  )
}

/**
 * Cards that would cost more than a faster card of the same make and at least as new, with as much memory, with the price of that card
 * slightly reduced: nobody pays more for the slower one, whatever it cost at launch. A card whose launch price is an estimate is also
 * limited by older ones, and costs at least as much as a slower one that is older or of its generation and has no more memory.
 */
export function cappedCardPrices(cards: readonly PricedCard[]): ReadonlyMap<string, CardPrice> {
  const at = Math.max(0, ...cards.map(({ releasedAt }) => releasedAt)) + COMPARED_AFTER
  const worth = ({ cents, releasedAt }: CardPrice) =>
    Math.log(cents) + expertShare('graphics-card', (at - releasedAt) / YEAR_MS)
  const fastestFirst = cards.toSorted((a, b) => b.performance - a.performance)
  const capped = new Map<string, CardPrice>()
  for (const card of fastestFirst) {
    const limits = fastestFirst.flatMap((other) => (isBetter(other, card) ? (capped.get(other.id) ?? other) : []))
    const lowest = limits.reduce<CardPrice | null>((low, one) => (low && worth(low) <= worth(one) ? low : one), null)
    if (lowest && worth(card) > worth(lowest) + Math.log(SLOWER_SHARE))
      capped.set(card.id, { cents: Math.round(lowest.cents * SLOWER_SHARE), releasedAt: lowest.releasedAt })
  }
  for (const card of cards) {
    if (!card.isEstimated) continue
    const slower = cards.filter(
      (other) => isFaster(card, other) && !other.isEstimated && other.releasedAt < card.releasedAt + GENERATION_MS,
    )
    const highest = slower
      .map((other): CardPrice => capped.get(other.id) ?? other)
      .reduce<CardPrice | null>((high, one) => (high && worth(high) >= worth(one) ? high : one), null)
    if (highest && worth(capped.get(card.id) ?? card) < worth(highest) - Math.log(SLOWER_SHARE))
      capped.set(card.id, { cents: Math.round(highest.cents / SLOWER_SHARE), releasedAt: highest.releasedAt })
  }
  // They limit no other card.
  return new Map([...capped, ...scarceCardPrices(cards)])
}

const isFaster = (other: PricedCard, card: PricedCard) =>
  other.make === card.make && other.performance > card.performance && other.memoryGb >= card.memoryGb

const isBetter = (other: PricedCard, card: PricedCard) =>
  !other.isEstimated &&
  isFaster(other, card) &&
  (card.isEstimated || other.releasedAt > card.releasedAt - GENERATION_MS)
