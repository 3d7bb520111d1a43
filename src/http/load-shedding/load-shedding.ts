import type { ApiError } from '../api-error.ts'
import type { Fetch, PostHandlers } from '../server.ts'
import { concurrencyLimit, OVERLOADED } from './concurrency-limit.ts'
import { type EarlyRejectionDependencies, earlyRejection } from './early-rejection.ts'
import { type FloodProtection, floodProtection } from './flood-protection.ts'
import { loopLagController } from './loop-lag.ts'

/** One core does some 5,000 lookups a second (`npm run bench risk`), so these finish within a tenth of a second. */
const IN_PROGRESS = { max: 300, maxPerOrganization: 200 }
/** Requests whose body is still arriving hold a little memory, but no slot that others need. */
const ARRIVING = { max: 1_000, maxPerOrganization: 300 }

/**
 * Overload policy, in the order in which it applies to a request:
 * 1. A request with a body is rejected with 503 before any other work while all slots, or those of its organization, are
 *    in use. Slots are fewer while the event loop lags.
 * 2. Its body arrives under a limit of its own; then it takes a slot until its response.
 * 3. During a flood, responses to callers without a valid key and to callers over their limit are delayed and close the
 *    connection.
 */
export type LoadShedding = {
  /** Why a request with a body is rejected now; undefined if it may go on. */
  rejection(organizationId?: string): ApiError | undefined
  /** Receives a body. Throws at once when too many are arriving. */
  receive<T>(organizationId: string, read: () => Promise<T>): Promise<T>
  /** Runs `work` in a slot. Throws at once when none is free. */
  run<T>(organizationId: string, work: () => Promise<T>): Promise<T>
  running(): number
  /** Handlers that reject POST requests before the router sees them. */
  rejectEarly(dependencies: Omit<EarlyRejectionDependencies, 'concurrency' | 'loopLag'>, next: Fetch): PostHandlers
  readonly throttle: FloodProtection['throttle']
  close(): void
}

export function loadShedding(): LoadShedding {
  const loopLag = loopLagController()
  const slots = concurrencyLimit({ ...IN_PROGRESS, factor: loopLag.limitFactor })
  const bodies = concurrencyLimit(ARRIVING)
  const flood = floodProtection()
  return {
    rejection(organizationId) {
      if (organizationId !== undefined) return slots.rejectionFor(organizationId)
      return slots.isFull() ? OVERLOADED : undefined
    },
    receive: bodies.run,
    run: slots.run,
    running: slots.running,
    rejectEarly: (dependencies, next) => earlyRejection({ ...dependencies, concurrency: slots, loopLag }, next),
    throttle: flood.throttle,
    close: flood.close,
  }
}
