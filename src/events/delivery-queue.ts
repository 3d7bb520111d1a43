import type { Tier } from '../contract/tiers.ts'
import type { StoredEvent } from './event.ts'

export type DeliveryEndpoint = {
  readonly id: string
  readonly organizationId: string
  /** Tier of the organization. */
  readonly tier: Tier
  readonly url: string
  /** Both encrypted. */
  readonly secret: string
  readonly previousSecret: string | null
  readonly previousUntil: number | null
}

export type DueDelivery = StoredEvent & { readonly endpointId: string; readonly attempts: number }

export type TakenDelivery = { readonly delivery: DueDelivery; readonly endpoint: DeliveryEndpoint }

const MAX_IN_FLIGHT = 64
const MAX_PER_ORGANIZATION = 16
const MAX_PER_ENDPOINT = 8
/** Slots shared by the slow endpoints of all organizations; they never get the other slots. */
const MAX_SLOW_IN_FLIGHT = 32
const SLOW_MS = 2_000
/** Deliveries read ahead for an endpoint that responds quickly, and for any other. */
const READ_AHEAD = { fast: 100, other: 4 }

type QueuedEndpoint = {
  endpoint: DeliveryEndpoint
  speed: 'fast' | 'slow' | 'unknown'
  readonly queued: DueDelivery[]
  readonly inFlight: Set<DueDelivery>
  lastServed: number
}

/**
 * Decides which due delivery is sent next. Organizations take turns, and endpoints of an organization take turns. An endpoint
 * that responds slowly or fails gets one slot at a time out of a share of the slots, so that it delays only itself.
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

  function isServedBefore(a: QueuedEndpoint, b: QueuedEndpoint): boolean {
    const lastServed = ({ endpoint }: QueuedEndpoint) => organizationState(endpoint.organizationId).lastServed
    return lastServed(a) === lastServed(b) ? a.lastServed < b.lastServed : lastServed(a) < lastServed(b)
  }

  return {
    /** Sets the endpoints that have something due. Drops the queues of all others: they were disabled or removed. */
    setEndpoints(due: readonly DeliveryEndpoint[]): void {
      const ids = new Set(due.map(({ id }) => id))
      for (const [id, { queued, inFlight: endpointInFlight, speed }] of endpoints) {
        if (ids.has(id)) continue
        queued.length = 0
        // A slow endpoint is remembered until its next attempt.
        if (endpointInFlight.size === 0 && speed !== 'slow') endpoints.delete(id)
      }
      for (const endpoint of due) {
        const existing = endpoints.get(endpoint.id)
        if (existing) existing.endpoint = endpoint
        else endpoints.set(endpoint.id, { endpoint, speed: 'unknown', queued: [], inFlight: new Set(), lastServed: 0 })
      }
    },

    /** How many due deliveries to read of an endpoint, including those in flight or queued; 0 if it has enough. */
    readLimit(endpointId: string): number {
      const state = endpoints.get(endpointId)
      if (!state) return 0
      const readAhead = state.speed === 'fast' ? READ_AHEAD.fast : READ_AHEAD.other
      return state.queued.length > readAhead / 2 ? 0 : readAhead + state.queued.length + state.inFlight.size
    },

    /** Queues due deliveries of an endpoint, except those that are already queued or in flight. */
    add(endpointId: string, deliveries: readonly DueDelivery[]): void {
      const state = endpoints.get(endpointId)
      if (!state) return
      const existingKeys = new Set([...state.queued, ...state.inFlight].map(positionKey))
      state.queued.push(...deliveries.filter((delivery) => !existingKeys.has(positionKey(delivery))))
    },

    /** The next delivery to send, which takes a slot until `finish`. */
    take(): TakenDelivery | undefined {
      if (inFlight >= MAX_IN_FLIGHT) return undefined
      let next: QueuedEndpoint | undefined
      for (const state of endpoints.values()) {
        if (isReady(state) && (!next || isServedBefore(state, next))) next = state
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

    /** Frees the slot. Returns whether more of the endpoint should be read. */
    finish(
      { delivery, endpoint }: TakenDelivery,
      call: { readonly isAccepted: boolean; readonly tookMs: number },
    ): boolean {
      const state = endpoints.get(endpoint.id)
      if (!state?.inFlight.delete(delivery)) return false
      inFlight--
      const organization = organizationState(endpoint.organizationId)
      organization.inFlight--
      const wasSlow = state.speed === 'slow'
      if (wasSlow) slowInFlight--
      state.speed = call.isAccepted && call.tookMs < SLOW_MS ? 'fast' : 'slow'
      if (state.speed === 'slow' && !wasSlow) slowInFlight += state.inFlight.size
      if (state.speed === 'fast' && wasSlow) slowInFlight -= state.inFlight.size
      return this.readLimit(endpoint.id) > 0
    },
  }
}

const positionKey = ({ revision, ordinal }: DueDelivery) => `${revision} ${ordinal}`
