import { DAY_MS, HOUR_MS } from '../lib/time.ts'
import type { RecordStore } from '../records/record-store.ts'
import type { LookupStore } from '../risk/lookup-store.ts'
import type { ReferenceDataStore } from '../risk/reference-data-store.ts'

const FIRST_RUN_AFTER_MS = 30_000

export type RetentionOptions = {
  readonly lookups: Pick<LookupStore, 'deleteLookupsBefore'>
  /** What else holds identifiers and goes as lookups do. */
  readonly deleteAppraisalsBefore: (before: number) => Promise<number>
  readonly idempotency: Pick<RecordStore, 'forgetClaims'>
  readonly referenceData: Pick<ReferenceDataStore, 'forgetFacts'>
  /** Makes room for the records of the coming months. */
  readonly createMonthlyPartitions: () => Promise<void>
  /** 0 keeps lookups for ever. */
  readonly retentionDays: number
  /** The longest that a provider's answer may still serve. */
  readonly maxCacheMs: number
  readonly now: () => number
  readonly onError: (error: unknown) => void
  readonly onDeleted: (count: number) => void
}

/** Identifiers are personal data: what is too old, or of no use any more, goes. */
async function enforceRetention(parts: RetentionOptions): Promise<void> {
  const { lookups, idempotency: claims, referenceData: knowledge, retentionDays, now } = parts
  if (retentionDays > 0) {
    const before = now() - retentionDays * DAY_MS
    const count = (await lookups.deleteLookupsBefore(before)) + (await parts.deleteAppraisalsBefore(before))
    if (count > 0) parts.onDeleted(count)
  }
  await claims.forgetClaims(now())
  // A cached answer names an identifier too, so it lives no longer than a lookup may.
  const cacheMs = retentionDays > 0 ? Math.min(parts.maxCacheMs, retentionDays * DAY_MS) : parts.maxCacheMs
  await knowledge.forgetFacts(now() - cacheMs)
}

/** Soon after the start and then every hour. */
export function startRetention(parts: RetentionOptions): () => void {
  const run = async () => {
    await parts.createMonthlyPartitions()
    await enforceRetention(parts).catch(parts.onError)
  }
  const first = setTimeout(run, FIRST_RUN_AFTER_MS)
  const later = setInterval(run, HOUR_MS)
  return () => {
    clearTimeout(first)
    clearInterval(later)
  }
}
