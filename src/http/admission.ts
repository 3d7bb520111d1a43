import { unavailable } from '../errors.ts'
import { asApiError } from './api-error.ts'

export type Admission = {
  /** Throws when there is no room. Worth asking before anything else is done for a request that will need room. */
  check(): void
  /** Does the work, or throws at once when as much as can be done in good time is in progress already. */
  run<T>(work: () => Promise<T>): Promise<T>
  inProgress(): number
}

/**
 * A door for work that waits for the store or for others. Beyond a few hundred at once more waiting makes nobody faster:
 * those inside would take longer and longer, and memory would grow with the queue. Whoever is turned away knows at once.
 */
export function admission(most: number): Admission {
  let inside = 0
  // Made once: whoever is overrun must not spend its time on saying so.
  const full = asApiError(
    unavailable('More requests are in progress than can be answered in good time. Try again shortly.', 1),
  )
  function check(): void {
    if (inside >= most) throw full
  }
  return {
    check,
    run(work) {
      check()
      inside++
      return work().finally(() => {
        inside--
      })
    },
    inProgress: () => inside,
  }
}
