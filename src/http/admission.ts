import { unavailable } from '../errors.ts'
import { type ApiError, asApiError } from './api-error.ts'

export type Admission = {
  /** Whether there is room for nobody. Worth asking before anything else is done for a request that will need room. */
  isFull(): boolean
  /** Whether there may be no room for somebody. As long as there is not, nobody has to be asked about. */
  isTight(): boolean
  /** Why there is no room for `who`, where there is none. Worth asking before their body is read. */
  refusal(who: string): ApiError | undefined
  /** Does the work, or throws at once when as much as can be done in good time is in progress already, of all or of `who`. */
  run<T>(who: string, work: () => Promise<T>): Promise<T>
  inProgress(): number
}

export type AdmissionOptions = {
  readonly most: number
  readonly mostOfOne: number
  /** How much of that is used at the moment. */
  readonly share?: () => number
}

/** Made once: whoever is overrun must not spend its time on saying so. */
export const OVERLOADED: ApiError = asApiError(
  unavailable('More requests are in progress than can be answered in good time. Try again shortly.', 1),
)
export const SHARE_TAKEN: ApiError = asApiError(
  unavailable('More requests of yours are in progress than one organization may have at once. Try again shortly.', 1),
)

/**
 * Bounds how much is waited for at once. Beyond a few hundred, more waiting makes nobody faster: everything in progress
 * takes longer, and memory grows with the queue. What is refused is refused at once. Nobody can take all of the room.
 */
export function admission({ most, mostOfOne, share = () => 1 }: AdmissionOptions): Admission {
  let running = 0
  const byWho = new Map<string, number>()
  const isFull = () => running >= most * share()
  function refusal(who: string): ApiError | undefined {
    if (isFull()) return OVERLOADED
    return (byWho.get(who) ?? 0) >= mostOfOne * share() ? SHARE_TAKEN : undefined
  }

  return {
    isFull,
    isTight: () => running >= mostOfOne * share(),
    refusal,
    run(who, work) {
      const refused = refusal(who)
      if (refused) throw refused
      running++
      byWho.set(who, (byWho.get(who) ?? 0) + 1)
      return work().finally(() => {
        running--
        const left = (byWho.get(who) ?? 1) - 1
        if (left > 0) byWho.set(who, left)
        else byWho.delete(who)
      })
    },
    inProgress: () => running,
  }
}
