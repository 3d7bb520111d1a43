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
 * Bounds how much work waits for the store or for outside sources at once. Beyond a few hundred, more waiting makes
 * nobody faster: everything in progress takes longer, and memory grows with the queue. What is refused is refused at once.
 */
export function admission(most: number): Admission {
  let running = 0
  // Made once: whoever is overrun must not spend its time on saying so.
  const full = asApiError(
    unavailable('More requests are in progress than can be answered in good time. Try again shortly.', 1),
  )
  function check(): void {
    if (running >= most) throw full
  }
  return {
    check,
    run(work) {
      check()
      running++
      return work().finally(() => {
        running--
      })
    },
    inProgress: () => running,
  }
}
