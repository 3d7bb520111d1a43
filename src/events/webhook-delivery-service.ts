import { EVENT_TIERS, type EventType } from '../contract/events.ts'
import { TIER_NAMES } from '../contract/tiers.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { groupCommit } from '../lib/group-commit.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { type DueDelivery, deliveryQueue, type TakenDelivery } from './delivery-queue.ts'
import { presentEvent } from './event.ts'
import { nextAttemptAt, signDelivery, tierReceives } from './webhook.ts'
import { callWebhook, type WebhookCallResult } from './webhook-call-service.ts'
import type { WebhookDeliveryStore } from './webhook-delivery-store.ts'

export type WebhookDeliveryOptions = {
  readonly store: Pick<WebhookDeliveryStore, 'endpointsDue' | 'due' | 'settle' | 'disableEndpoint' | 'decryptSecrets'>
  /** Calls `react` when an endpoint was changed or events were written. */
  readonly onChange: (react: () => void) => () => void
  readonly allowPrivateAddresses: boolean
  readonly userAgent: string
  readonly now: () => number
  readonly onError: (error: unknown) => void
  readonly onEndpointDisabled: (endpointId: string, reason: string) => void
}

const POLL_INTERVAL_MS = 1_000
/** While nothing is due: changes are announced, and the time of the next attempt is known. */
const MAX_LOOK_INTERVAL_MS = 30_000
const ENDPOINTS_PER_READ = 50
const MAX_PAUSE_MS = 50
const SETTLE_BATCH = 100
/** After a kill this many deliveries are repeated at most. */
const MAX_UNSETTLED = 200
/** Requests have the event loop between the turns; on a busy one, turns are late and so deliveries give way. */
const TURN_MS = 10
const MAX_SENT_PER_TURN = 12
/** How often a delivery that the tier does not cover is checked again. */
const PAUSE_MS = 10 * MINUTE_MS

/**
 * Sends due deliveries until `stop` is called and writes the results in batches. One process at a time does so. A delivery is
 * settled after its response, so after a kill in between the next process sends it again, under the same id.
 */
export function startWebhookDeliveries(options: WebhookDeliveryOptions) {
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
  /** Sent, or being sent, and not stored as such yet. */
  const unsettled = new Set<DueDelivery>()
  let wake = Promise.withResolvers<void>()
  let isPaused = false
  let sentInTurn = 0
  let nextLookAt = 0
  /** Endpoints may have been enabled, disabled or got new deliveries. */
  const lookNow = () => {
    nextLookAt = 0
    wake.resolve()
  }
  const lookBy = (at: number) => {
    nextLookAt = Math.min(nextLookAt, performance.now() + Math.max(0, at - now()))
  }
  const stopListening = options.onChange(lookNow)

  async function send({ delivery, endpoint }: TakenDelivery): Promise<WebhookCallResult> {
    const id = delivery.id
    const body = JSON.stringify(presentEvent(delivery))
    const headers = signDelivery(id, body, store.decryptSecrets(endpoint), now())
    const { allowPrivateAddresses, userAgent } = options
    return callWebhook(endpoint.url, body, headers, { allowPrivateAddresses, userAgent, signal: stopping.signal })
  }

  async function deliver(taken: TakenDelivery): Promise<void> {
    const { delivery, endpoint } = taken
    unsettled.add(delivery)
    try {
      const result = await attempt(taken)
      sendNext()
      if (result) await settle(result)
    } catch (error) {
      // Without a stored result the delivery stays due: do not send it again at full speed.
      isPaused = true
      lookBy(now() + POLL_INTERVAL_MS)
      options.onError(error)
    } finally {
      unsettled.delete(delivery)
      queue.settled(delivery)
      if (queue.isLow(endpoint.id)) wake.resolve()
      sendNext()
    }
  }

  /** Frees the slot as soon as the receiver has responded. Null if our own shutdown ended the call. */
  async function attempt(taken: TakenDelivery): Promise<DeliveryResult | null> {
    const { delivery } = taken
    const startedAt = performance.now()
    let call = { isAccepted: false, tookMs: 0 }
    try {
      if (!tierReceives(delivery.tier, delivery.type)) {
        // Not a failure of the endpoint.
        call = { isAccepted: true, tookMs: 0 }
        return toPausedResult(delivery, now())
      }
      const outcome = await send(taken)
      call = { isAccepted: outcome.isAccepted, tookMs: performance.now() - startedAt }
      // Aborted by our own shutdown: it does not count as an attempt and is sent again after the next start.
      if (stopping.signal.aborted && !outcome.isAccepted) return null
      return toDeliveryResult(delivery, outcome, now())
    } finally {
      queue.finish(taken, call)
    }
  }

  async function settle(result: DeliveryResult): Promise<void> {
    const { delivery, disableReason } = result
    if (disableReason !== null && (await store.disableEndpoint(delivery.endpointId, disableReason, now()))) {
      options.onEndpointDisabled(delivery.endpointId, disableReason)
      lookNow()
    }
    await results.write(result)
    if (result.nextAttemptAt !== null) lookBy(result.nextAttemptAt)
  }

  function sendNext(): void {
    while (!isPaused && !stopping.signal.aborted && unsettled.size < MAX_UNSETTLED && sentInTurn < MAX_SENT_PER_TURN) {
      const taken = queue.take()
      if (!taken) return
      if (sentInTurn === 0) setTimeout(startTurn, TURN_MS)
      sentInTurn++
      const delivery = deliver(taken).finally(() => inFlight.delete(delivery))
      inFlight.add(delivery)
    }
  }

  function startTurn(): void {
    sentInTurn = 0
    sendNext()
  }

  async function readDue(): Promise<void> {
    const requests = queue.beginRead()
    for (let from = 0; from < requests.length && !stopping.signal.aborted; from += ENDPOINTS_PER_READ) {
      queue.add(await store.due(requests.slice(from, from + ENDPOINTS_PER_READ), now()))
      sendNext()
      await yieldToEventLoop()
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = Promise.withResolvers<void>()
      const startedAt = performance.now()
      try {
        if (startedAt >= nextLookAt) {
          nextLookAt = startedAt + MAX_LOOK_INTERVAL_MS
          // With many endpoints this takes milliseconds, a read does not: it is not repeated for every read.
          const { due, nextAt } = await store.endpointsDue(now())
          lookBy(due.length > 0 ? now() + POLL_INTERVAL_MS : nextAt)
          queue.setEndpoints(due)
        }
        await readDue()
        isPaused = false
        sendNext()
      } catch (error) {
        lookBy(now() + POLL_INTERVAL_MS)
        options.onError(error)
      }
      const pauseMs = performance.now() - startedAt
      const timer = setTimeout(() => wake.resolve(), POLL_INTERVAL_MS)
      await wake.promise
      clearTimeout(timer)
      // Requests get at least as much time before the next read.
      await Bun.sleep(Math.min(MAX_PAUSE_MS, pauseMs))
    }
  }

  const running = run()
  return {
    /** Looks for due deliveries now. */
    wake: lookNow,
    async stop(): Promise<void> {
      stopListening()
      stopping.abort()
      wake.resolve()
      await running
      await Promise.all(inFlight)
    },
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
