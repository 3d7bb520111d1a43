import { DAY_MS, HOUR_MS } from '../lib/time.ts'
import type { RecordStore } from '../records/record-store.ts'
import type { LookupStore } from '../risk/lookup-store.ts'
import type { ReferenceDataStore } from '../risk/reference-data-store.ts'
import type { ClockCheck } from './clock-check-service.ts'

const FIRST_RUN_AFTER_MS = 30_000

export type RetentionOptions = {
  readonly lookups: Pick<LookupStore, 'deleteLookupsBefore'>
  readonly deleteAppraisalsBefore: (before: number) => Promise<number>
  readonly idempotency: Pick<RecordStore, 'forgetClaims'>
  readonly referenceData: Pick<ReferenceDataStore, 'forgetFacts'>
  readonly createMonthlyPartitions: () => Promise<void>
  /** 0 keeps lookups forever. */
  readonly retentionDays: number
  /** How long a provider's response may be served at most. */
  readonly maxCacheMs: number
  readonly now: () => number
  readonly clock: Pick<ClockCheck, 'isTrusted'>
  readonly onError: (error: unknown) => void
  readonly onDeleted: (count: number) => void
  /** Called after every run that succeeded. */
  readonly onRun: () => void
}

/** Deletes what is too old or no longer useful: identifiers are personal data. Deletes nothing while the clock is suspect. */
async function enforceRetention(parts: RetentionOptions): Promise<void> {
  const { lookups, idempotency, referenceData, retentionDays, now } = parts
  if (!(await parts.clock.isTrusted())) return
  if (retentionDays > 0) {
    const before = now() - retentionDays * DAY_MS
    const count = (await lookups.deleteLookupsBefore(before)) + (await parts.deleteAppraisalsBefore(before))
    if (count > 0) parts.onDeleted(count)
  }
  await idempotency.forgetClaims(now())
  // A cached response names an identifier too, so it is kept no longer than a lookup.
  const cacheMs = retentionDays > 0 ? Math.min(parts.maxCacheMs, retentionDays * DAY_MS) : parts.maxCacheMs
  await referenceData.forgetFacts(now() - cacheMs)
}

/** Runs soon after the start and then every hour. */
export function startRetention(parts: RetentionOptions): () => void {
  const run = async () => {
    await parts.createMonthlyPartitions()
    await enforceRetention(parts).then(parts.onRun, parts.onError)
  }
  const first = setTimeout(run, FIRST_RUN_AFTER_MS)
  const later = setInterval(run, HOUR_MS)
  return () => {
    clearTimeout(first)
    clearInterval(later)
  }
}
