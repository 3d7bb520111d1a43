import { keyStore } from '../auth/key-store.ts'
import type { Catalogue } from '../catalog/catalogue-service.ts'
import { suggestVariantIds } from '../catalog/id-suggestions.ts'
import type { Database } from '../db/database.ts'
import { reloadOnChange } from '../db/reload-on-change.ts'
import { startEventMaintenance } from '../events/event-maintenance-service.ts'
import { eventStore } from '../events/event-store.ts'
import { startPriceWatch, watchedPrice } from '../events/price-watch-service.ts'
import { eventRoutes } from '../events/routes.ts'
import { watchStore } from '../events/watch-store.ts'
import { startWebhookDeliveries } from '../events/webhook-delivery-service.ts'
import { webhookStore } from '../events/webhook-endpoint-store.ts'
import type { PreparedResponse } from '../http/prepared-response.ts'
import { runOnOneNode } from '../jobs/leader-lock-service.ts'
import type { Log } from '../lib/log.ts'
import { VERSION } from '../lib/version.ts'
import type { QuoteService } from '../pricing/quotes/quote-service.ts'

type EventsDependencies = {
  readonly db: Database
  readonly catalogue: Catalogue
  readonly quotes: QuoteService<PreparedResponse>
  readonly log: Log
  readonly allowPrivate: boolean
}

export type Events = ReturnType<typeof openEvents>

/** Watches, and what is told of by itself. */
export function openEvents({ db, catalogue, quotes, log, allowPrivate }: EventsDependencies) {
  const watches = watchStore(db)
  const events = eventStore(db)
  const webhooks = webhookStore(db)
  const priceOf = async (variantId: string) => watchedPrice(await quotes.valueOf(variantId))
  const logWarning = (message: string) => (error: unknown) => log.warn(message, { cause: String(error) })

  /** Prices are looked at after they were made anew, not when the market changes: a moment before they are the old ones. */
  const followPrices = reloadOnChange({
    subscribe(react) {
      quotes.onPricesChanged(react)
      return () => {}
    },
    onFailure: logWarning('watched prices cannot be looked at; trying until they can'),
    onRecovery: () => log.info('watched prices are looked at again'),
  })

  return {
    routes: eventRoutes({
      watches,
      events,
      priceOf,
      suggestVariants: (variantId) => suggestVariantIds(catalogue.snapshot(), variantId),
    }),
    /** Does what one process of all has to do, until the function that it returns is called. */
    start: () =>
      runOnOneNode({
        withLock: (work, onWait) => db.withLock('events', work, onWait),
        onError: logWarning('events could not be attended to; trying again'),
        start() {
          const prices = startPriceWatch({ store: watches, priceOf, now: Date.now, reloadOnChange: followPrices })
          prices.invalidate()
          const stopChores = startEventMaintenance({
            findExpiringKeys: keyStore(db).expiringKeys,
            writeEvents: events.write,
            async deleteBefore(before) {
              await webhooks.deleteDeliveriesBefore(before)
              await events.deleteBefore(before)
              await watches.forgetEnded(Date.now())
            },
            now: Date.now,
            onError: logWarning('old events could not be deleted'),
          })
          const stopDeliveries = startWebhookDeliveries({
            store: webhooks,
            onChange: (react) => db.onChange('events', react),
            allowPrivateAddresses: allowPrivate,
            userAgent: `device-intelligence/${VERSION}`,
            now: Date.now,
            onError: logWarning('deliveries could not be attended to; trying again'),
            onEndpointDisabled: (webhook, reason) => log.warn('a webhook was taken out of use', { webhook, reason }),
          })
          return async () => {
            stopChores()
            prices.close()
            await stopDeliveries()
          }
        },
      }),
  }
}
