import type { RecordStore } from '../durable/record-store.ts'
import { DAY_MS, HOUR_MS } from '../time.ts'
import type { KnowledgeStore } from './knowledge-store.ts'
import type { LookupStore } from './lookup-store.ts'

const FIRST_AFTER_MS = 30_000

export type RetentionParts = {
  readonly lookups: Pick<LookupStore, 'deleteLookupsBefore'>
  /** What else holds identifiers and goes as lookups do. */
  readonly deleteOthersBefore: (before: number) => Promise<number>
  readonly claims: Pick<RecordStore, 'forgetClaims'>
  readonly knowledge: Pick<KnowledgeStore, 'forgetFacts'>
  /** Makes room for the records of the coming months. */
  readonly prepareMonths: () => Promise<void>
  /** 0 keeps lookups for ever. */
  readonly retentionDays: number
  /** The longest that a provider's answer may still serve. */
  readonly cacheMs: number
  readonly now: () => number
  readonly failed: (error: unknown) => void
  readonly deleted: (count: number) => void
}

/** Identifiers are personal data: what is too old, or of no use any more, goes. */
async function enforceRetention(parts: RetentionParts): Promise<void> {
  const { lookups, claims, knowledge, retentionDays, now } = parts
  if (retentionDays > 0) {
    const before = now() - retentionDays * DAY_MS
    const count = (await lookups.deleteLookupsBefore(before)) + (await parts.deleteOthersBefore(before))
    if (count > 0) parts.deleted(count)
  }
  await claims.forgetClaims(now())
  // A cached answer names an identifier too, so it lives no longer than a lookup may.
  const cacheMs = retentionDays > 0 ? Math.min(parts.cacheMs, retentionDays * DAY_MS) : parts.cacheMs
  await knowledge.forgetFacts(now() - cacheMs)
}

/** Soon after the start and then every hour. */
export function keepRetention(parts: RetentionParts): () => void {
  const run = async () => {
    await parts.prepareMonths()
    await enforceRetention(parts).catch(parts.failed)
  }
  const first = setTimeout(run, FIRST_AFTER_MS)
  const later = setInterval(run, HOUR_MS)
  return () => {
    clearTimeout(first)
    clearInterval(later)
  }
}
