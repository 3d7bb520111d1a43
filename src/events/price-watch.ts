import type { Follow } from '../follow.ts'
import { yieldToRequests } from '../in-slices.ts'
import type { Worth } from '../pricing/serve/device-quotes.ts'
import type { NewEvent } from './event.ts'
import type { WatchOf, WatchStore } from './watch-store.ts'

/** Prices change with every observation; watches are looked through no more often than this. */
const REST_MS = 2_000

export type PriceWatchParts = {
  readonly store: Pick<WatchStore, 'variantWatches' | 'moved'>
  /** The resale price of grade Good, US cents; null where there is none. */
  readonly priceOf: (variantId: string) => Promise<number | null | undefined>
  readonly now: () => number
  readonly follow: Follow
}

/** Tells of watched variants whose price moved, each time the market changes. Returns how to stop. */
export function watchPrices({ store, priceOf, now, follow }: PriceWatchParts) {
  async function look(): Promise<void> {
    for await (const watches of store.variantWatches(now())) {
      for (const watch of watches) {
        const cents = await priceOf(watch.subject)
        if (following.isClosed()) return
        if (cents === null || cents === undefined) continue
        const event = priceEvent(watch, cents, now())
        if (event || watch.lastCents === null) await store.moved(watch, cents, event)
        await yieldToRequests()
      }
    }
  }
  const following = follow(look, { restMs: () => REST_MS })
  return following
}

/** Null where the price has not moved far enough to tell. */
function priceEvent(watch: WatchOf, cents: number, now: number): NewEvent | null {
  const { lastCents, thresholdPercent } = watch
  if (lastCents === null || lastCents === 0 || thresholdPercent === null) return null
  const percent = ((cents - lastCents) / lastCents) * 100
  if (Math.abs(percent) < thresholdPercent) return null
  return {
    type: 'price.moved',
    organizationId: watch.organizationId,
    subject: `variant ${watch.subject}`,
    createdAt: now,
    data: {
      watch_id: watch.id,
      reference: watch.reference,
      variant_id: watch.subject,
      condition: 'Good',
      previous: lastCents,
      current: cents,
      change_percent: Math.round(percent * 10) / 10,
      currency: 'USD',
    },
  }
}

/** The price that is watched; undefined where there is no such variant, null where it has no price. */
export const watchedPrice = (worth: Worth | undefined): number | null | undefined =>
  worth && (worth.resale?.Good.amount ?? null)
