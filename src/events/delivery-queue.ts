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
}

export type DueDelivery = StoredEvent & {
  readonly endpointId: string
  readonly attempts: number
  /** Tier of the organization when the delivery was read. */
  readonly tier: Tier
}

export type ReadRequest = { readonly endpointId: string; readonly limit: number }

export type TakenDelivery = { readonly delivery: DueDelivery; readonly endpoint: DeliveryEndpoint }

const MAX_IN_FLIGHT = 64
const MAX_PER_ORGANIZATION = 16
const MAX_PER_ENDPOINT = 8
/** Slots shared by the slow endpoints of all organizations; they never get the other slots. */
const MAX_SLOW_IN_FLIGHT = 32
const SLOW_MS = 2_000
/** Deliveries read in advance for a fast endpoint. */
const READ_AHEAD = 100
/** Of all endpoints together. One that has none gets one more. */
const MAX_READ_AHEAD = 1_000

type QueuedEndpoint = {
  endpoint: DeliveryEndpoint
  /** False if the last read found nothing new and nothing was settled since. */
  mayHaveDue: boolean
  speed: 'fast' | 'slow' | 'unknown'
  readonly queued: DueDelivery[]
  /** Keys of deliveries that are queued, in flight or not stored yet: they are still due in the database. */
  readonly held: Set<string>
  readonly inFlight: Set<DueDelivery>
  lastServed: number
}

const keyOf = ({ endpointId, revision, ordinal }: DueDelivery) => `${endpointId} ${revision} ${ordinal}`

/**
 * Decides which deliveries are read from the database and which of them is sent next. Organizations take turns, and so do the
 * endpoints of an organization. An endpoint that responds slowly or fails gets one slot at a time out of a share of the slots,
 * so that it delays only itself.
 */
export function deliveryQueue() {
  const endpoints = new Map<string, QueuedEndpoint>()
  const organizations = new Map<string, { inFlight: number; lastServed: number }>()
  let inFlight = 0
  let slowInFlight = 0
  let turn = 0
  /** Settled since the read in progress began, which may still see them as due. */
  const settledDuringRead = new Set<string>()

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

  const readAhead = ({ speed }: QueuedEndpoint) => (speed === 'fast' ? READ_AHEAD : 1)

  const isLow = (state: QueuedEndpoint) => state.queued.length <= readAhead(state) / 2

  return {
    /** Sets the endpoints that have something due. Drops the queues of all others, which were disabled or removed. */
    setEndpoints(due: readonly DeliveryEndpoint[]): void {
      const ids = new Set(due.map(({ id }) => id))
      for (const [id, { queued, held, inFlight: endpointInFlight, speed }] of endpoints) {
        if (ids.has(id)) continue
        for (const delivery of queued.splice(0)) held.delete(keyOf(delivery))
        // A slow endpoint is remembered until its next attempt.
        if (endpointInFlight.size === 0 && speed !== 'slow') endpoints.delete(id)
      }
      for (const endpoint of due) {
        const existing = endpoints.get(endpoint.id)
        if (existing) {
          existing.endpoint = endpoint
          existing.mayHaveDue = true
        } else {
          const state = {
            endpoint,
            queued: [],
            held: new Set<string>(),
            inFlight: new Set<DueDelivery>(),
            lastServed: 0,
          }
          endpoints.set(endpoint.id, { ...state, mayHaveDue: true, speed: 'unknown' })
        }
      }
    },

    /**
     * Begins a read: how many due deliveries to read of which endpoints, those that waited longest first. Includes the number
     * of those that are held already, which are the first to be found.
     */
    beginRead(): ReadRequest[] {
      settledDuringRead.clear()
      const states = [...endpoints.values()]
      const slowStates = states.filter(({ speed }) => speed === 'slow')
      let freeSlow = MAX_SLOW_IN_FLIGHT - slowInFlight - slowStates.reduce((sum, { queued }) => sum + queued.length, 0)
      let free = MAX_READ_AHEAD - states.reduce((sum, { queued }) => sum + queued.length, 0)
      const requests: ReadRequest[] = []
      for (const state of states.filter(({ mayHaveDue }) => mayHaveDue).sort(compareTurns)) {
        if (!isLow(state) || (state.speed === 'slow' && freeSlow <= 0)) continue
        const limit = Math.min(readAhead(state), Math.max(free, state.queued.length === 0 ? 1 : 0))
        if (limit === 0) continue
        requests.push({ endpointId: state.endpoint.id, limit: limit + state.held.size })
        state.mayHaveDue = false
        free -= limit
        if (state.speed === 'slow') freeSlow -= limit
      }
      return requests
    },

    /** Queues deliveries that were read, except those that are held or were settled meanwhile. */
    add(deliveries: readonly DueDelivery[]): void {
      for (const delivery of deliveries) {
        const state = endpoints.get(delivery.endpointId)
        const key = keyOf(delivery)
        if (!state || state.held.has(key) || settledDuringRead.has(key)) continue
        state.held.add(key)
        state.queued.push(delivery)
        state.mayHaveDue = true
      }
    },

    /** The result of a delivery is stored: the next one of its subject is due now. */
    settled(delivery: DueDelivery): void {
      const key = keyOf(delivery)
      settledDuringRead.add(key)
      const state = endpoints.get(delivery.endpointId)
      state?.held.delete(key)
      if (state) state.mayHaveDue = true
    },

    /** Whether more of the endpoint should be read. */
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
    },
  }
}
