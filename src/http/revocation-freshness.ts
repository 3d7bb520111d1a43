import { unavailable } from '../lib/errors.ts'
import { toApiError } from './api-error.ts'

/** So long a revoked key may go on changing things where its process cannot hear of it. */
const MAX_WRITE_STALENESS_MS = 5_000

/**
 * A process that is cut off from its store does not hear that a key was revoked. Changes are refused soon, reads after
 * the operator's time of grace: 503, because the key itself may be good.
 */
export function revocationFreshnessCheck(silentForMs: () => number, graceMs: number): (kind: 'read' | 'write') => void {
  const limitMs = { read: graceMs, write: Math.min(MAX_WRITE_STALENESS_MS, graceMs) }
  const unreachable = toApiError(unavailable('The store, which knows the keys, does not answer. Try again shortly.', 2))
  // A look at the counters comes four times a second; so much later the store is not asked seldom, it is away.
  const minMs = 1_000
  return (kind) => {
    if (silentForMs() > Math.max(limitMs[kind], minMs)) throw unreachable
  }
}
