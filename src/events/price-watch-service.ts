import type { ReloadOnChange } from '../db/reload-on-change.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import type { VariantValue } from '../pricing/quotes/device-quotes.ts'
import type { NewEvent } from './event.ts'
import type { OrganizationWatch } from './watch.ts'
import type { WatchStore } from './watch-store.ts'

/** Prices change with every observation; watches are checked no more often than this. */
const MIN_INTERVAL_MS = 2_000

export type PriceWatchOptions = {
  readonly store: Pick<WatchStore, 'variantWatches' | 'updatePrice'>
  /** The resale price of grade Good, US cents; null if there is none. */
  readonly findPrice: (variantId: string, organizationId: string) => Promise<number | null | undefined>
  readonly now: () => number
  readonly reloadOnChange: ReloadOnChange
}

/** Writes events for watched variants whose price changed, each time the market changes. */
export function startPriceWatch({ store, findPrice, now, reloadOnChange }: PriceWatchOptions) {
  async function checkPrices(): Promise<void> {
    for await (const watches of store.variantWatches(now())) {
      for (const watch of watches) {
        const cents = await findPrice(watch.subject, watch.organizationId)
        if (reloader.isClosed()) return
        if (cents === null || cents === undefined) continue
        const event = priceMovedEvent(watch, cents, now())
        if (event || watch.lastCents === null) await store.updatePrice(watch, cents, event)
        await yieldToEventLoop()
      }
    }
  }
  const reloader = reloadOnChange(checkPrices, { minIntervalMs: () => MIN_INTERVAL_MS })
  return reloader
}

/** Null if the price change is below the threshold. */
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

/** The watched price; undefined if the variant does not exist, null if it has no price. */
export const watchedPrice = (value: VariantValue | undefined): number | null | undefined =>
  value && (value.resale?.Good.amount ?? null)
