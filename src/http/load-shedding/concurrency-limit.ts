import { unavailable } from '../../lib/errors.ts'
import { type ApiError, toApiError } from '../api-error.ts'

export type ConcurrencyLimit = {
  /** Whether there is room for nobody. Worth asking before anything else is done for a request that will need room. */
  isFull(): boolean
  /** Whether there may be no room for somebody. As long as there is not, nobody has to be asked about. */
  isNearLimit(): boolean
  /** Why there is no room for `who`, where there is none. Worth asking before their body is read. */
  rejectionFor(who: string): ApiError | undefined
  /** Does the work, or throws at once when as much as can be done in good time is in progress already, of all or of `who`. */
  run<T>(who: string, work: () => Promise<T>): Promise<T>
  running(): number
}

export type ConcurrencyLimitOptions = {
  readonly max: number
  readonly maxPerOrganization: number
  /** How much of that is used at the moment. */
  readonly factor?: () => number
}

/** Made once: whoever is overrun must not spend its time on saying so. */
export const OVERLOADED: ApiError = toApiError(
  unavailable('More requests are in progress than can be answered in good time. Try again shortly.', 1),
)
export const ORGANIZATION_LIMIT_REACHED: ApiError = toApiError(
  unavailable('More requests of yours are in progress than one organization may have at once. Try again shortly.', 1),
)

/**
 * Bounds how much is waited for at once. Beyond a few hundred, more waiting makes nobody faster: everything in progress
 * takes longer, and memory grows with the queue. What is refused is refused at once. Nobody can take all of the room.
 */
export function concurrencyLimit({
  max: most,
  maxPerOrganization: mostOfOne,
  factor: share = () => 1,
}: ConcurrencyLimitOptions): ConcurrencyLimit {
  let running = 0
  const runningByOrganization = new Map<string, number>()
  const isFull = () => running >= most * share()
  function refusal(who: string): ApiError | undefined {
    if (isFull()) return OVERLOADED
    return (runningByOrganization.get(who) ?? 0) >= mostOfOne * share() ? ORGANIZATION_LIMIT_REACHED : undefined
  }

  return {
    isFull,
    isNearLimit: () => running >= mostOfOne * share(),
    rejectionFor: refusal,
    run(who, work) {
      const refused = refusal(who)
      if (refused) throw refused
      running++
      runningByOrganization.set(who, (runningByOrganization.get(who) ?? 0) + 1)
      return work().finally(() => {
        running--
        const left = (runningByOrganization.get(who) ?? 1) - 1
        if (left > 0) runningByOrganization.set(who, left)
        else runningByOrganization.delete(who)
      })
    },
    running: () => running,
  }
}
