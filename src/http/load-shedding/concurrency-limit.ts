import { unavailable } from '../../lib/errors.ts'
import { type ApiError, toApiError } from '../api-error.ts'

export type ConcurrencyLimit = {
  /** Whether no request can be accepted, whatever its organization. */
  isFull(): boolean
  /** Whether some organization may be at its limit; below that no request has to be checked. */
  isNearLimit(): boolean
  /** The error for a request of this organization; undefined if a slot is free. */
  rejectionFor(organizationId: string): ApiError | undefined
  /** Runs `work` in a slot, or throws at once when none is free in total or for the organization. */
  run<T>(organizationId: string, work: () => Promise<T>): Promise<T>
  running(): number
}

export type ConcurrencyLimitOptions = {
  readonly max: number
  readonly maxPerOrganization: number
  /** Current fraction of both limits in use, lowered while the event loop lags. */
  readonly factor?: () => number
}

/** Built once: creating an error per rejected request is measurable under load. */
export const OVERLOADED: ApiError = toApiError(unavailable('Too many requests are in progress. Try again shortly.', 1))
export const ORGANIZATION_LIMIT_REACHED: ApiError = toApiError(
  unavailable('Too many requests of your organization are in progress. Try again shortly.', 1),
)

/**
 * Limits how many requests wait for the database or for outside sources at once, in total and per organization. Beyond a
 * few hundred, more concurrency only adds latency and memory, so further requests are rejected immediately.
 */
export function concurrencyLimit({
  max,
  maxPerOrganization,
  factor = () => 1,
}: ConcurrencyLimitOptions): ConcurrencyLimit {
  let running = 0
  const runningByOrganization = new Map<string, number>()
  const isFull = () => running >= max * factor()
  function rejectionFor(organizationId: string): ApiError | undefined {
    if (isFull()) return OVERLOADED
    const runningOfOrganization = runningByOrganization.get(organizationId) ?? 0
    return runningOfOrganization >= maxPerOrganization * factor() ? ORGANIZATION_LIMIT_REACHED : undefined
  }

  return {
    isFull,
    isNearLimit: () => running >= maxPerOrganization * factor(),
    rejectionFor,
    run(organizationId, work) {
      const rejection = rejectionFor(organizationId)
      if (rejection) throw rejection
      running++
      runningByOrganization.set(organizationId, (runningByOrganization.get(organizationId) ?? 0) + 1)
      return work().finally(() => {
        running--
        const remaining = (runningByOrganization.get(organizationId) ?? 1) - 1
        if (remaining > 0) runningByOrganization.set(organizationId, remaining)
        else runningByOrganization.delete(organizationId)
      })
    },
    running: () => running,
  }
}
