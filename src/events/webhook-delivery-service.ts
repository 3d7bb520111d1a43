import { EVENT_TIERS, type EventType } from '../contract/events.ts'
import { TIER_NAMES } from '../contract/tiers.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { groupCommit } from '../records/group-commit-service.ts'
import { type DueDelivery, deliveryQueue, type TakenDelivery } from './delivery-queue.ts'
import { eventId, eventJson } from './event.ts'
import { nextAttemptAt, signDelivery, tierReceives } from './webhook.ts'
import { callWebhook, type WebhookCallResult } from './webhook-call-service.ts'
import type { WebhookDeliveryStore } from './webhook-delivery-store.ts'

export type WebhookDeliveryOptions = {
  readonly store: Pick<
    WebhookDeliveryStore,
    'fanOut' | 'endpointsDue' | 'due' | 'settle' | 'disableEndpoint' | 'decryptSecrets'
  >
  /** Calls `react` when events were written or an endpoint was changed. */
  readonly onChange: (react: () => void) => () => void
  readonly allowPrivateAddresses: boolean
  readonly userAgent: string
  readonly now: () => number
  readonly onError: (error: unknown) => void
  readonly onEndpointDisabled: (endpointId: string, reason: string) => void
}

const POLL_INTERVAL_MS = 1_000
const SETTLE_BATCH = 100
/** How often a delivery that the tier does not cover is checked again. */
const PAUSE_MS = 10 * MINUTE_MS

/**
 * Sends due deliveries until the returned function is called. A delivery is settled after its response, so a kill in between
 * sends it again, under the same id. Due deliveries are read ahead in batches and results are written in batches.
 */
export function startWebhookDeliveries(options: WebhookDeliveryOptions): () => Promise<void> {
  const { store, now } = options
  const stopping = new AbortController()
  const queue = deliveryQueue()
  const inFlight = new Set<Promise<void>>()
  const results = groupCommit(
    async (batch: readonly DeliveryResult[]) => {
      await store.settle(batch, now())
      return batch
    },
    { countRows: () => 1, maxRows: SETTLE_BATCH, isDatabaseUnavailable: () => true },
  )
  let wake = Promise.withResolvers<void>()
  let hasNewEvents = true
  let isPaused = false
  const stopListening = options.onChange(() => {
    hasNewEvents = true
    wake.resolve()
  })

  async function send({ delivery, endpoint }: TakenDelivery): Promise<WebhookCallResult> {
    const id = eventId(delivery)
    const body = eventJson(delivery)
    const headers = signDelivery(id, body, store.decryptSecrets(endpoint), now())
    const { allowPrivateAddresses, userAgent } = options
    return callWebhook(endpoint.url, body, headers, { allowPrivateAddresses, userAgent, signal: stopping.signal })
  }

  async function deliver(taken: TakenDelivery): Promise<void> {
    const startedAt = performance.now()
    let call = { isAccepted: false, tookMs: 0 }
    try {
      if (!tierReceives(taken.endpoint.tier, taken.delivery.type)) {
        await results.write(toPausedResult(taken.delivery, now()))
        // Not a failure of the endpoint.
        call = { isAccepted: true, tookMs: 0 }
        return
      }
      const outcome = await send(taken)
      call = { isAccepted: outcome.isAccepted, tookMs: performance.now() - startedAt }
      // Aborted by our own shutdown: it does not count as an attempt and is sent again after the next start.
      if (stopping.signal.aborted && !outcome.isAccepted) return
      const result = toDeliveryResult(taken.delivery, outcome, now())
      await settle(result)
    } catch (error) {
      // Without a stored result the delivery stays due: do not send it again at full speed.
      isPaused = true
      options.onError(error)
    } finally {
      if (queue.finish(taken, call)) wake.resolve()
      sendNext()
    }
  }

  async function settle(result: DeliveryResult): Promise<void> {
    const { delivery, disableReason } = result
    if (disableReason !== null && (await store.disableEndpoint(delivery.endpointId, disableReason, now()))) {
      options.onEndpointDisabled(delivery.endpointId, disableReason)
    }
    await results.write(result)
  }

  function sendNext(): void {
    while (!isPaused && !stopping.signal.aborted) {
      const taken = queue.take()
      if (!taken) return
      const delivery = deliver(taken).finally(() => inFlight.delete(delivery))
      inFlight.add(delivery)
    }
  }

  async function readDue(): Promise<void> {
    if (hasNewEvents) {
      hasNewEvents = false
      await store.fanOut().catch((error) => {
        hasNewEvents = true
        throw error
      })
    }
    const endpoints = await store.endpointsDue(now())
    queue.setEndpoints(endpoints)
    for (const { id } of endpoints) {
      const limit = queue.readLimit(id)
      if (limit === 0 || stopping.signal.aborted) continue
      queue.add(id, await store.due(id, now(), limit))
      sendNext()
      await yieldToEventLoop()
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = Promise.withResolvers<void>()
      try {
        await readDue()
        isPaused = false
        sendNext()
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
    await Promise.all(inFlight)
  }
}

/** Result of a delivery attempt. */
export type DeliveryResult = {
  readonly delivery: DueDelivery
  readonly outcome: WebhookCallResult
  readonly attempts: number
  /** Null after the last attempt. */
  readonly nextAttemptAt: number | null
  /** Why the endpoint is disabled; null if it is not. */
  readonly disableReason: string | null
}

/** A delivery of an organization whose tier was lowered stays in the queue, without an attempt. */
function toPausedResult(delivery: DueDelivery, now: number): DeliveryResult {
  const tier = TIER_NAMES[EVENT_TIERS[delivery.type as EventType]]
  const outcome = { status: null, responseText: `Paused: needs the ${tier} tier.`, isAccepted: false }
  return { delivery, outcome, attempts: delivery.attempts, nextAttemptAt: now + PAUSE_MS, disableReason: null }
}

function toDeliveryResult(delivery: DueDelivery, outcome: WebhookCallResult, now: number): DeliveryResult {
  const attempts = delivery.attempts + 1
  const retryAt = outcome.isAccepted || outcome.status === 410 ? null : nextAttemptAt(attempts, now)
  const result = { delivery, outcome, attempts, nextAttemptAt: retryAt, disableReason: null }
  if (outcome.isAccepted || retryAt !== null) return result
  const disableReason =
    outcome.status === 410
      ? 'The endpoint responded with 410 Gone.'
      : `The endpoint accepted no delivery in ${attempts} attempts over three days.`
  return { ...result, disableReason }
}
