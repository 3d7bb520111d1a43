import { eventId, eventJson } from './event.ts'
import { nextAttempt, signedHeaders } from './webhook.ts'
import { type CallOutcome, callWebhook } from './webhook-call.ts'
import type { DueDelivery, WebhookStore } from './webhook-store.ts'

export type DeliveryParts = {
  readonly store: Pick<WebhookStore, 'fanOut' | 'endpointsDue' | 'due' | 'settle'>
  /** Told when events were written or a delivery was asked for again. */
  readonly onChange: (react: () => void) => () => void
  readonly allowPrivate: boolean
  readonly userAgent: string
  readonly now: () => number
  readonly failed: (error: unknown) => void
  readonly disabled: (endpointId: string, reason: string) => void
}

/** Deliveries under way to one endpoint: a slow one holds up nobody else's, and not all of its own. */
const MOST_PER_ENDPOINT = 4
const MOST_UNDER_WAY = 64
const LOOK_EVERY_MS = 1_000

/**
 * Sends what is due, as long as it runs. What is sent is marked only after the answer came: whoever is killed in between sends
 * it again, under the same id. Returns how to stop.
 */
export function keepDeliveries(parts: DeliveryParts): () => Promise<void> {
  const { store, now } = parts
  const stopping = new AbortController()
  const underWay = new Map<string, Promise<void>>()
  let wake = Promise.withResolvers<void>()
  const stopListening = parts.onChange(() => wake.resolve())

  async function send(delivery: DueDelivery): Promise<void> {
    const id = eventId(delivery)
    const body = eventJson(delivery)
    const headers = signedHeaders(id, body, delivery.secrets, now())
    const { allowPrivate, userAgent } = parts
    const outcome = await callWebhook(delivery.url, body, headers, { allowPrivate, userAgent, signal: stopping.signal })
    // Cut off by ourselves: it counts for nothing and is sent again by whoever comes next.
    if (stopping.signal.aborted && !outcome.isTaken) return
    const reason = await store.settle(delivery, settled(delivery, outcome, now()), now())
    if (reason !== null) parts.disabled(delivery.endpointId, reason)
  }

  async function begin(): Promise<void> {
    await store.fanOut()
    for (const endpointId of await store.endpointsDue(now())) {
      const running = [...underWay.keys()].filter((key) => key.startsWith(`${endpointId} `)).length
      if (running >= MOST_PER_ENDPOINT) continue
      for (const delivery of await store.due(endpointId, now(), MOST_PER_ENDPOINT)) {
        const key = `${endpointId} ${eventId(delivery)}`
        if (underWay.has(key) || underWay.size >= MOST_UNDER_WAY) continue
        const sending = send(delivery)
          .catch(parts.failed)
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
        parts.failed(error)
      }
      const timer = setTimeout(() => wake.resolve(), LOOK_EVERY_MS)
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
export type Settled = {
  readonly outcome: CallOutcome
  readonly attempts: number
  /** Null when it is over. */
  readonly nextAt: number | null
  /** Why the endpoint gets no more, if that is so. */
  readonly disables: string | null
}

function settled(delivery: DueDelivery, outcome: CallOutcome, now: number): Settled {
  const attempts = delivery.attempts + 1
  if (outcome.isTaken) return { outcome, attempts, nextAt: null, disables: null }
  const nextAt = outcome.status === 410 ? null : nextAttempt(attempts, now)
  if (nextAt !== null) return { outcome, attempts, nextAt, disables: null }
  const disables =
    outcome.status === 410
      ? 'It answered 410: it is gone for good.'
      : `It did not take a delivery in ${attempts} attempts over three days.`
  return { outcome, attempts, nextAt, disables }
}
