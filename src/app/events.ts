import { keyStore } from '../auth/key-store.ts'
import type { Catalogue } from '../catalog/catalogue-service.ts'
import { suggestVariantIds } from '../catalog/id-suggestions.ts'
import type { Database } from '../db/database.ts'
import { reloadOnChange } from '../db/reload-on-change.ts'
import { maintainEvents } from '../events/event-maintenance.ts'
import { eventStore } from '../events/event-store.ts'
import { startPriceWatch, watchedPrice } from '../events/price-watch-service.ts'
import { eventRoutes } from '../events/routes.ts'
import { watchStore } from '../events/watch-store.ts'
import { startWebhookDeliveries } from '../events/webhook-delivery-service.ts'
import { webhookDeliveryStore } from '../events/webhook-delivery-store.ts'
import { webhookEndpointStore } from '../events/webhook-endpoint-store.ts'
import { webhookRoutes } from '../events/webhook-routes.ts'
import type { PreparedResponse } from '../http/prepared-response.ts'
import type { Scheduler } from '../jobs/scheduler-service.ts'
import type { Encryption } from '../lib/encryption.ts'
import type { Log } from '../lib/log.ts'
import { HOUR_MS } from '../lib/time.ts'
import { VERSION } from '../lib/version.ts'
import { startAlertMail } from '../mail/alert-mail-service.ts'
import { alertStore } from '../mail/alert-store.ts'
import type { MailService } from '../mail/mail-service.ts'
import type { QuoteService } from '../pricing/quotes/quote-service.ts'

type EventsDependencies = {
  readonly db: Database
  readonly mail: MailService
  readonly dashboardUrl: string
  readonly catalogue: Catalogue
  readonly quotes: QuoteService<PreparedResponse>
  readonly log: Log
  readonly allowPrivate: boolean
  readonly encryption: Encryption
  readonly maxWatches: number
  readonly retentionDays: () => number
  readonly jobs: Scheduler
  /** Whether the clock can be trusted with deletion by age. */
  readonly mayDelete: () => Promise<boolean>
}

/** Watches, events and webhook deliveries. */
export function openEvents({
  db,
  mail,
  dashboardUrl,
  catalogue,
  quotes,
  log,
  allowPrivate,
  encryption,
  maxWatches,
  retentionDays,
  jobs,
  mayDelete,
}: EventsDependencies) {
  const watches = watchStore(db)
  const events = eventStore(db)
  const deliveries = webhookDeliveryStore(db, encryption)
  const findPrice = async (variantId: string, organizationId: string) =>
    watchedPrice(await quotes.valueOf(variantId, quotes.scopeOf(organizationId)))
  const logWarning = (message: string) => (error: unknown) => log.warn(message, { cause: String(error) })

  /** Watched prices are checked after prices are rebuilt: when the market changes they are still the old ones. */
  const followPrices = reloadOnChange({
    subscribe(react) {
      quotes.onPricesChanged(react)
      return () => {}
    },
    onFailure: logWarning('cannot check watched prices; retrying'),
    onRecovery: () => log.info('checking watched prices again'),
  })

  const followEvents = reloadOnChange({
    subscribe: (react) => db.onChange('events', react),
    onFailure: logWarning('cannot queue webhook deliveries; retrying'),
    onRecovery: () => log.info('queueing webhook deliveries again'),
  })

  /** Jobs and deliveries of the leader. Returns a function that stops them. */
  function lead(): () => Promise<void> {
    const prices = startPriceWatch({
      store: watches,
      findPrice,
      now: Date.now,
      reloadOnChange: followPrices,
    })
    prices.invalidate()
    const stopMaintenance = jobs.add({
      name: 'event_maintenance',
      everyMs: HOUR_MS,
      firstAfterMs: 0,
      run: () =>
        maintainEvents({
          findExpiringKeys: keyStore(db).expiringKeys,
          writeEvents: events.write,
          async deleteBefore(before) {
            if (!(await mayDelete())) return
            await deliveries.deleteDeliveriesBefore(before)
            await events.deleteBefore(before)
            await watches.deleteEnded(Date.now(), retentionDays())
          },
          now: Date.now,
        }),
    })
    const sending = startWebhookDeliveries({
      store: deliveries,
      onChange: (react) => db.onChange('events', react),
      allowPrivateAddresses: allowPrivate,
      userAgent: `device-intelligence/${VERSION}`,
      now: Date.now,
      onError: logWarning('webhook deliveries failed; retrying'),
      onEndpointDisabled: (webhook, reason) => log.warn('webhook disabled', { webhook, reason }),
    })
    const fanOut = followEvents(async () => {
      await deliveries.fanOut(Date.now())
      sending.wake()
    })
    fanOut.invalidate()
    const stopAlerts = mail.isConfigured
      ? startAlertMail({
          store: alertStore(db),
          onChange: (react) => db.onChange('events', react),
          send: mail.send,
          dashboardUrl,
          onError: logWarning('cannot mail alerts'),
        })
      : undefined
    return async () => {
      await stopAlerts?.()
      prices.close()
      fanOut.close()
      await sending.stop()
      await stopMaintenance()
    }
  }

  return {
    routes: [
      ...eventRoutes({
        watches,
        events,
        findPrice,
        suggestVariants: (variantId) => suggestVariantIds(catalogue.registry(), variantId),
        maxWatches,
        retentionDays,
      }),
      ...webhookRoutes({ webhooks: webhookEndpointStore(db, encryption), deliveries, allowPrivate }),
    ],
    lead,
  }
}
