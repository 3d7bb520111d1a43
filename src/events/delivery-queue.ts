import type { Tier } from '../contract/tiers.ts'
import type { StoredEvent } from './event.ts'

export type DeliveryEndpoint = {
  readonly id: string
  readonly organizationId: string
  readonly url: string
  /** Both encrypted. */
  readonly secret: string
  readonly previousSecret: string | null
  readonly previousUntil: number | null
  /** Whether it had due deliveries that no process had claimed. */
  readonly isDue: boolean
}

export type DueDelivery = StoredEvent & {
  readonly endpointId: string
  readonly attempts: number
  /** Tier of the organization when the delivery was claimed. */
  readonly tier: Tier
}

export type ClaimRequest = { readonly endpointId: string; readonly limit: number }

export type TakenDelivery = { readonly delivery: DueDelivery; readonly endpoint: DeliveryEndpoint }

const MAX_IN_FLIGHT = 64
const MAX_PER_ORGANIZATION = 16
const MAX_PER_ENDPOINT = 8
/** Slots shared by the slow endpoints of all organizations; they never get the other slots. */
const MAX_SLOW_IN_FLIGHT = 32
const SLOW_MS = 2_000
/** Deliveries claimed in advance for a fast endpoint: about a second of work, so that other processes get the rest. */
const CLAIM_AHEAD_MS = 1_000
/** A larger claim is one larger transaction, which lookups wait for: with 200 their p99 doubles. */
const MAX_CLAIMED_AHEAD = 25
/** Of all endpoints together. One that has none claimed gets one more. */
const MAX_CLAIMED = 1_000

type QueuedEndpoint = {
  endpoint: DeliveryEndpoint
  /** False if the last claim found nothing and nothing was settled since. */
  mayHaveDue: boolean
  speed: 'fast' | 'slow' | 'unknown'
  lastCallMs: number
  readonly queued: DueDelivery[]
  readonly inFlight: Set<DueDelivery>
  lastServed: number
}

/**
 * Decides which deliveries this process claims and which of them is sent next. Organizations take turns, and so do the
 * endpoints of an organization. An endpoint that responds slowly or fails gets one slot at a time out of a share of the slots,
 * so that it delays only itself.
 */
export function deliveryQueue() {
  const endpoints = new Map<string, QueuedEndpoint>()
  const organizations = new Map<string, { inFlight: number; lastServed: number }>()
  let inFlight = 0
  let slowInFlight = 0
  let turn = 0

  const organizationState = (id: string) => {
    const organization = organizations.get(id) ?? { inFlight: 0, lastServed: 0 }
    organizations.set(id, organization)
    return organization
  }

  function isReady({ queued, inFlight: endpointInFlight, speed, endpoint }: QueuedEndpoint): boolean {
    if (queued.length === 0 || endpointInFlight.size >= (speed === 'fast' ? MAX_PER_ENDPOINT : 1)) return false
    if (speed === 'slow' && slowInFlight >= MAX_SLOW_IN_FLIGHT) return false
    return organizationState(endpoint.organizationId).inFlight < MAX_PER_ORGANIZATION
  }

  /** Negative if `a` is served before `b`. */
  function compareTurns(a: QueuedEndpoint, b: QueuedEndpoint): number {
    const lastServed = ({ endpoint }: QueuedEndpoint) => organizationState(endpoint.organizationId).lastServed
    return lastServed(a) - lastServed(b) || a.lastServed - b.lastServed
  }

  /** Of a slow or unknown endpoint one delivery is claimed at a time, so that other processes do not wait for it. */
  function claimAhead({ speed, lastCallMs }: QueuedEndpoint): number {
    if (speed !== 'fast') return 1
    return Math.min(MAX_CLAIMED_AHEAD, Math.ceil((MAX_PER_ENDPOINT * CLAIM_AHEAD_MS) / Math.max(1, lastCallMs)))
  }

  const isLow = (state: QueuedEndpoint) => state.queued.length <= claimAhead(state) / 2

  return {
    /**
     * Sets the endpoints that have something due or claimed. Drops the queues of all others, which were disabled or removed,
     * and returns what was in them.
     */
    setEndpoints(due: readonly DeliveryEndpoint[]): DueDelivery[] {
      const ids = new Set(due.map(({ id }) => id))
      const dropped: DueDelivery[] = []
      for (const [id, { queued, inFlight: endpointInFlight, speed }] of endpoints) {
        if (ids.has(id)) continue
        dropped.push(...queued.splice(0))
        // A slow endpoint is remembered until its next attempt.
        if (endpointInFlight.size === 0 && speed !== 'slow') endpoints.delete(id)
      }
      for (const endpoint of due) {
        const existing = endpoints.get(endpoint.id)
        if (existing) {
          existing.endpoint = endpoint
          existing.mayHaveDue = endpoint.isDue
        } else {
          const state = { endpoint, queued: [], inFlight: new Set<DueDelivery>(), lastServed: 0, lastCallMs: 0 }
          endpoints.set(endpoint.id, { ...state, mayHaveDue: endpoint.isDue, speed: 'unknown' })
        }
      }
      return dropped
    },

    /** How many more deliveries to claim of which endpoints, those that waited longest first. */
    claimRequests(): ClaimRequest[] {
      const states = [...endpoints.values()]
      const slowStates = states.filter(({ speed }) => speed === 'slow')
      let freeSlow = MAX_SLOW_IN_FLIGHT - slowInFlight - slowStates.reduce((sum, { queued }) => sum + queued.length, 0)
      let free = MAX_CLAIMED - states.reduce((sum, { queued }) => sum + queued.length, 0)
      const requests: ClaimRequest[] = []
      for (const state of states.filter(({ mayHaveDue }) => mayHaveDue).sort(compareTurns)) {
        if (!isLow(state) || (state.speed === 'slow' && freeSlow <= 0)) continue
        const limit = Math.min(claimAhead(state), Math.max(free, state.queued.length === 0 ? 1 : 0))
        if (limit === 0) continue
        requests.push({ endpointId: state.endpoint.id, limit })
        state.mayHaveDue = false
        free -= limit
        if (state.speed === 'slow') freeSlow -= limit
      }
      return requests
    },

    /** Queues claimed deliveries. */
    add(deliveries: readonly DueDelivery[]): void {
      for (const delivery of deliveries) {
        const state = endpoints.get(delivery.endpointId)
        state?.queued.push(delivery)
        if (state) state.mayHaveDue = true
      }
    },

    /** The result of a delivery is stored: the next one of its subject is due now. */
    settled(endpointId: string): void {
      const state = endpoints.get(endpointId)
      if (state) state.mayHaveDue = true
    },

    /** Claimed deliveries that are not sent yet. */
    queued: (): DueDelivery[] => [...endpoints.values()].flatMap(({ queued }) => queued),

    /** Whether more of the endpoint should be claimed. */
    isLow(endpointId: string): boolean {
      const state = endpoints.get(endpointId)
      return state !== undefined && isLow(state)
    },

    /** The next delivery to send, which takes a slot until `finish`. */
    take(): TakenDelivery | undefined {
      if (inFlight >= MAX_IN_FLIGHT) return undefined
      let next: QueuedEndpoint | undefined
      for (const state of endpoints.values()) {
        if (isReady(state) && (!next || compareTurns(state, next) < 0)) next = state
      }
      const delivery = next?.queued.shift()
      if (!next || !delivery) return undefined
      const organization = organizationState(next.endpoint.organizationId)
      organization.lastServed = next.lastServed = ++turn
      organization.inFlight++
      next.inFlight.add(delivery)
      inFlight++
      if (next.speed === 'slow') slowInFlight++
      return { delivery, endpoint: next.endpoint }
    },

    /** Frees the slot. */
    finish(
      { delivery, endpoint }: TakenDelivery,
      call: { readonly isAccepted: boolean; readonly tookMs: number },
    ): void {
      const state = endpoints.get(endpoint.id)
      if (!state?.inFlight.delete(delivery)) return
      inFlight--
      const organization = organizationState(endpoint.organizationId)
      organization.inFlight--
      const wasSlow = state.speed === 'slow'
      if (wasSlow) slowInFlight--
      state.speed = call.isAccepted && call.tookMs < SLOW_MS ? 'fast' : 'slow'
      if (state.speed === 'slow' && !wasSlow) slowInFlight += state.inFlight.size
      if (state.speed === 'fast' && wasSlow) slowInFlight -= state.inFlight.size
      state.lastCallMs = call.tookMs
    },
  }
}
