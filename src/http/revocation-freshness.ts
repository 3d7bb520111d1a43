import { unavailable } from '../lib/errors.ts'
import { toApiError } from './api-error.ts'

/** How long a revoked key may still write on a process that is cut off from its database. */
const MAX_WRITE_STALENESS_MS = 5_000

/**
 * A process that is cut off from its database does not learn of revoked keys. Writes are rejected after 5 s, reads after
 * `graceMs`: with 503, because the key may be valid.
 */
export function revocationFreshnessCheck(silentForMs: () => number, graceMs: number): (kind: 'read' | 'write') => void {
  const limitMs = { read: graceMs, write: Math.min(MAX_WRITE_STALENESS_MS, graceMs) }
  const unreachable = toApiError(
    unavailable('Database unavailable: API keys cannot be verified. Try again shortly.', 2),
  )
  // Change counters are polled four times a second; a shorter silence means nothing.
  const minMs = 1_000
  return (kind) => {
    if (silentForMs() > Math.max(limitMs[kind], minMs)) throw unreachable
  }
}
