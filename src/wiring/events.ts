import { keyStore } from '../access/key-store.ts'
import type { Catalogue } from '../catalog/catalogue.ts'
import { nearestVariants } from '../catalog/nearest.ts'
import type { Database } from '../db/open.ts'
import { keepChores } from '../events/chores.ts'
import { keepDeliveries } from '../events/deliveries.ts'
import { eventStore } from '../events/event-store.ts'
import { keepAlone } from '../events/keep-alone.ts'
import { watchedPrice, watchPrices } from '../events/price-watch.ts'
import { eventRoutes } from '../events/routes.ts'
import { watchStore } from '../events/watch-store.ts'
import { webhookStore } from '../events/webhook-store.ts'
import { follower } from '../follow.ts'
import type { ReadyAnswer } from '../http/ready.ts'
import type { Log } from '../log.ts'
import type { Quotes } from '../pricing/serve/quotes.ts'
import { VERSION } from '../version.ts'

type Opening = {
  readonly db: Database
  readonly catalogue: Catalogue
  readonly quotes: Quotes<ReadyAnswer>
  readonly log: Log
  readonly allowPrivate: boolean
}

export type Events = ReturnType<typeof openEvents>

/** Watches, and what is told of by itself. */
export function openEvents({ db, catalogue, quotes, log, allowPrivate }: Opening) {
  const watches = watchStore(db)
  const events = eventStore(db)
  const webhooks = webhookStore(db)
  const priceOf = async (variantId: string) => watchedPrice(await quotes.worthOf(variantId))
  const complain = (message: string) => (error: unknown) => log.warn(message, { cause: String(error) })

  /** Prices are looked at after they were made anew, not when the market changes: a moment before they are the old ones. */
  const followPrices = follower({
    listen(react) {
      quotes.onPrices(react)
      return () => {}
    },
    failing: complain('watched prices cannot be looked at; trying until they can'),
    recovered: () => log.info('watched prices are looked at again'),
  })

  return {
    routes: eventRoutes({
      watches,
      events,
      priceOf,
      nearest: (variantId) => nearestVariants(catalogue.snapshot(), variantId),
    }),
    /** Does what one process of all has to do, until the function that it returns is called. */
    keep: () =>
      keepAlone({
        alone: (work, onWait) => db.alone('events', work, onWait),
        failed: complain('events could not be attended to; trying again'),
        begin() {
          const prices = watchPrices({ store: watches, priceOf, now: Date.now, follow: followPrices })
          prices.changed()
          const stopChores = keepChores({
            expiringKeys: keyStore(db).expiringKeys,
            write: events.write,
            async forgetBefore(before) {
              await webhooks.deleteDeliveriesBefore(before)
              await events.deleteBefore(before)
              await watches.forgetEnded(Date.now())
            },
            now: Date.now,
            failed: complain('old events could not be deleted'),
          })
          const stopDeliveries = keepDeliveries({
            store: webhooks,
            onChange: (react) => db.onChange('events', react),
            allowPrivate,
            userAgent: `device-intelligence/${VERSION}`,
            now: Date.now,
            failed: complain('deliveries could not be attended to; trying again'),
            disabled: (webhook, reason) => log.warn('a webhook was taken out of use', { webhook, reason }),
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
