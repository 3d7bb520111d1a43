import type { ReloadOnChange } from '../db/reload-on-change.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import type { VariantValue } from '../pricing/quotes/device-quotes.ts'
import type { NewEvent } from './event.ts'
import type { OrganizationWatch, WatchStore } from './watch-store.ts'

/** Prices change with every observation; watches are looked through no more often than this. */
const MIN_INTERVAL_MS = 2_000

export type PriceWatchOptions = {
  readonly store: Pick<WatchStore, 'variantWatches' | 'moved'>
  /** The resale price of grade Good, US cents; null where there is none. */
  readonly priceOf: (variantId: string, organizationId: string) => Promise<number | null | undefined>
  readonly now: () => number
  readonly reloadOnChange: ReloadOnChange
}

/** Tells of watched variants whose price changed, each time the market changes. Returns how to stop. */
export function startPriceWatch({ store, priceOf, now, reloadOnChange: follow }: PriceWatchOptions) {
  async function look(): Promise<void> {
    for await (const watches of store.variantWatches(now())) {
      for (const watch of watches) {
        const cents = await priceOf(watch.subject, watch.organizationId)
        if (following.isClosed()) return
        if (cents === null || cents === undefined) continue
        const event = priceMovedEvent(watch, cents, now())
        if (event || watch.lastCents === null) await store.moved(watch, cents, event)
        await yieldToEventLoop()
      }
    }
  }
  const following = follow(look, { minIntervalMs: () => MIN_INTERVAL_MS })
  return following
}

/** Null where the price has not moved far enough to tell. */
function priceMovedEvent(watch: OrganizationWatch, cents: number, now: number): NewEvent | null {
  const { lastCents, thresholdPercent } = watch
  if (lastCents === null || lastCents === 0 || thresholdPercent === null) return null
  const percent = ((cents - lastCents) / lastCents) * 100
  if (Math.abs(percent) < thresholdPercent) return null
  return {
    type: 'price.changed',
    organizationId: watch.organizationId,
    subject: `variant ${watch.subject}`,
    createdAt: now,
    data: {
      watch_id: watch.id,
      reference: watch.reference,
      variant_id: watch.subject,
      condition: 'Good',
      previous_price: lastCents,
      current_price: cents,
      change_percent: Math.round(percent * 10) / 10,
      currency: 'USD',
    },
  }
}

/** The price that is watched; undefined where there is no such variant, null where it has no price. */
export const watchedPrice = (worth: VariantValue | undefined): number | null | undefined =>
  worth && (worth.resale?.Good.amount ?? null)
