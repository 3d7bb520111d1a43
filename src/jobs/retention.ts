import { DAY_MS } from '../lib/time.ts'
import type { RecordStore } from '../records/record-store.ts'
import type { LookupStore } from '../risk/lookup-store.ts'
import type { ReferenceDataStore } from '../risk/reference-data-store.ts'
import type { ClockCheck } from './clock-check-service.ts'

export type RetentionOptions = {
  readonly lookups: Pick<LookupStore, 'deleteLookupsBefore'>
  readonly deleteAppraisalsBefore: (before: number) => Promise<number>
  readonly idempotency: Pick<RecordStore, 'deleteExpiredClaims'>
  readonly referenceData: Pick<ReferenceDataStore, 'deleteFactsBefore'>
  readonly deleteImportRunsBefore: (before: number) => Promise<void>
  /** By the retention of each organization. */
  readonly deleteExpiredSellers: (now: number) => Promise<void>
  /** 0 keeps lookups forever. */
  readonly retentionDays: number
  /** Of records of imports. */
  readonly importRetentionDays: number
  /** How long a provider's response may be served at most. */
  readonly maxCacheMs: number
  readonly now: () => number
  readonly clock: Pick<ClockCheck, 'isTrusted'>
  readonly onDeleted: (count: number) => void
}

/** Deletes expired records and caches: identifiers are personal data. Deletes nothing while the clock is suspect. */
export async function enforceRetention(options: RetentionOptions): Promise<void> {
  const { lookups, idempotency, referenceData, retentionDays, maxCacheMs, now } = options
  if (!(await options.clock.isTrusted())) return
  if (retentionDays > 0) {
    const before = now() - retentionDays * DAY_MS
    const count = (await lookups.deleteLookupsBefore(before)) + (await options.deleteAppraisalsBefore(before))
    if (count > 0) options.onDeleted(count)
  }
  await options.deleteImportRunsBefore(now() - options.importRetentionDays * DAY_MS)
  await options.deleteExpiredSellers(now())
  await idempotency.deleteExpiredClaims(now())
  // A cached response names an identifier too, so it is kept no longer than a lookup.
  await referenceData.deleteFactsBefore(
    now() - (retentionDays > 0 ? Math.min(maxCacheMs, retentionDays * DAY_MS) : maxCacheMs),
  )
}
