import type { AttentionWire } from '../contract/management-organization.ts'
import { DAY_MS, isoInstantOrNull } from '../lib/time.ts'

/** Keys that expire within this time are listed. */
const EXPIRING_DAYS = 14
/** Older failed imports are not listed. */
const RECENT_FAILURE_DAYS = 7

type AttentionSources = {
  readonly keys: readonly { name: string; expiresAt: number | null; revokedAt: number | null }[]
  /** Newest first. */
  readonly runs: readonly { format: string; state: string; startedAt: number; finishedAt: number | null }[]
  readonly feeds: readonly { name: string; failures: number; failedAt: number | null }[]
  readonly sources: readonly { name: string; since: number }[]
  /** Whether deletion by age is suspended because the clock jumped. */
  readonly isClockSuspect: boolean
  readonly lists: readonly { name: string; importedAt: number; clearance: { maxAgeDays: number } | null }[]
}

/** Problems that need attention, most severe first: possibly wrong responses, then upcoming outages. */
export function listAttentionItems(
  { keys, runs, feeds, lists, sources, isClockSuspect }: AttentionSources,
  now: number,
): AttentionWire[] {
  const items: AttentionWire[] = []
  const add = (kind: AttentionWire['kind'], subject: string, at: number | null) =>
    items.push({ kind, subject, at: isoInstantOrNull(at) })
  if (isClockSuspect) add('clock_jumped', 'system clock', null)
  for (const { name, since } of sources) add('source_down', name, since)
  for (const { name, importedAt, clearance } of lists) {
    if (clearance && now - importedAt > clearance.maxAgeDays * DAY_MS) add('list_stale', name, importedAt)
  }
  for (const { name, failures, failedAt } of feeds) if (failures > 0) add('feed_failing', name, failedAt)
  for (const { format, state, finishedAt } of newestRunPerFormat(runs)) {
    if (state === 'failed' && finishedAt !== null && now - finishedAt < RECENT_FAILURE_DAYS * DAY_MS) {
      add('import_failed', format, finishedAt)
    }
  }
  for (const { name, expiresAt, revokedAt } of keys) {
    const isActive = revokedAt === null && expiresAt !== null && expiresAt > now
    if (isActive && expiresAt - now <= EXPIRING_DAYS * DAY_MS) add('key_expiring', name, expiresAt)
  }
  return items
}

/** A failed import needs no attention after a later success. */
function newestRunPerFormat(runs: AttentionSources['runs']): AttentionSources['runs'] {
  const seenFormats = new Set<string>()
  return runs.filter(({ format }) => !seenFormats.has(format) && seenFormats.add(format))
}
