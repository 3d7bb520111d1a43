import { eventId, eventJson } from './event.ts'
import { nextAttemptAt, signDelivery } from './webhook.ts'
import { callWebhook, type WebhookCallResult } from './webhook-call-service.ts'
import type { DueDelivery, WebhookStore } from './webhook-endpoint-store.ts'

export type WebhookDeliveryOptions = {
  readonly store: Pick<WebhookStore, 'fanOut' | 'endpointsDue' | 'due' | 'settle'>
  /** Told when events were written or a delivery was asked for again. */
  readonly onChange: (react: () => void) => () => void
  readonly allowPrivateAddresses: boolean
  readonly userAgent: string
  readonly now: () => number
  readonly onError: (error: unknown) => void
  readonly onEndpointDisabled: (endpointId: string, reason: string) => void
}

/** Deliveries under way to one endpoint: a slow one holds up nobody else's, and not all of its own. */
const MAX_PER_ENDPOINT = 4
const MAX_IN_FLIGHT = 64
const POLL_INTERVAL_MS = 1_000

/**
 * Sends what is due, as long as it runs. What is sent is marked only after the answer came: whoever is killed in between sends
 * it again, under the same id. Returns how to stop.
 */
export function startWebhookDeliveries(options: WebhookDeliveryOptions): () => Promise<void> {
  const { store, now } = options
  const stopping = new AbortController()
  const underWay = new Map<string, Promise<void>>()
  let wake = Promise.withResolvers<void>()
  const stopListening = options.onChange(() => wake.resolve())

  async function send(delivery: DueDelivery): Promise<void> {
    const id = eventId(delivery)
    const body = eventJson(delivery)
    const headers = signDelivery(id, body, delivery.secrets, now())
    const { allowPrivateAddresses: allowPrivate, userAgent } = options
    const outcome = await callWebhook(delivery.url, body, headers, {
      allowPrivateAddresses: allowPrivate,
      userAgent,
      signal: stopping.signal,
    })
    // Cut off by ourselves: it counts for nothing and is sent again by whoever comes next.
    if (stopping.signal.aborted && !outcome.isAccepted) return
    const reason = await store.settle(delivery, toDeliveryResult(delivery, outcome, now()), now())
    if (reason !== null) options.onEndpointDisabled(delivery.endpointId, reason)
  }

  async function begin(): Promise<void> {
    await store.fanOut()
    for (const endpointId of await store.endpointsDue(now())) {
      const running = [...underWay.keys()].filter((key) => key.startsWith(`${endpointId} `)).length
      if (running >= MAX_PER_ENDPOINT) continue
      for (const delivery of await store.due(endpointId, now(), MAX_PER_ENDPOINT)) {
        const key = `${endpointId} ${eventId(delivery)}`
        if (underWay.has(key) || underWay.size >= MAX_IN_FLIGHT) continue
        const sending = send(delivery)
          .catch(options.onError)
          .finally(() => {
            underWay.delete(key)
            wake.resolve()
          })
        underWay.set(key, sending)
      }
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = Promise.withResolvers<void>()
      try {
        await begin()
      } catch (error) {
        options.onError(error)
      }
      const timer = setTimeout(() => wake.resolve(), POLL_INTERVAL_MS)
      await wake.promise
      clearTimeout(timer)
    }
  }

  const running = run()
  return async () => {
    stopListening()
    stopping.abort()
    wake.resolve()
    await running
    await Promise.all(underWay.values())
  }
}

/** What becomes of a delivery after a call. */
export type DeliveryResult = {
  readonly outcome: WebhookCallResult
  readonly attempts: number
  /** Null when it is over. */
  readonly nextAttemptAt: number | null
  /** Why the endpoint gets no more, if that is so. */
  readonly disableReason: string | null
}

function toDeliveryResult(delivery: DueDelivery, outcome: WebhookCallResult, now: number): DeliveryResult {
  const attempts = delivery.attempts + 1
  if (outcome.isAccepted) return { outcome, attempts, nextAttemptAt: null, disableReason: null }
  const nextAt = outcome.status === 410 ? null : nextAttemptAt(attempts, now)
  if (nextAt !== null) return { outcome, attempts, nextAttemptAt: nextAt, disableReason: null }
  const disables =
    outcome.status === 410
      ? 'It answered 410: it is gone for good.'
      : `It did not take a delivery in ${attempts} attempts over three days.`
  return { outcome, attempts, nextAttemptAt: nextAt, disableReason: disables }
}
