/** When it is a feed's turn, by what the store says of it. */
import { type FeedSchedule, nextRunAt } from './feed-schedule.ts'

/** What an address said of its list, to be asked next time whether that is still so. */
export type CacheValidators = { readonly etag: string | null; readonly lastModified: string | null }

export type FeedState = CacheValidators & {
  readonly name: string
  readonly addedAt: number
  readonly claimedAt: number
  readonly attempts: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly outcome: 'imported' | 'unchanged' | 'failed' | 'stopped' | null
  readonly succeededAt: number | null
  readonly failedAt: number | null
  readonly failure: string | null
  readonly failures: number
  /** Of the settings that the list was imported with. */
  readonly settingsHash: string | null
}

/** A process that took a turn begins it within a second or two; after so long it has been killed. */
export const CLAIM_GRACE_MS = 30_000
/** A list that kills whoever reads it must not do so all day. */
const MAX_ATTEMPTS = 3

export type DueRun = { readonly attempt: number }

/**
 * The turn that is due, if one is: the time that the schedule names next after the last turn has come, or the last turn was
 * cut off. Several that were missed are one.
 */
export function findDueRun(schedule: FeedSchedule, state: FeedState, now: number): DueRun | undefined {
  const next = nextRunAt(schedule, state.claimedAt)
  if (next !== undefined && next <= now) return { attempt: 1 }
  const isOver = now - state.claimedAt >= CLAIM_GRACE_MS
  if (isOver && wasInterrupted(state) && state.attempts < MAX_ATTEMPTS) return { attempt: state.attempts + 1 }
  return undefined
}

/** Whether its last run has no end: it runs still, or whoever ran it was killed or stopped. */
export function wasInterrupted({ attempts, claimedAt: takenAt, startedAt, finishedAt, outcome }: FeedState): boolean {
  const neverBegan = attempts > 0 && (startedAt ?? 0) < takenAt
  return neverBegan || (startedAt !== null && finishedAt === null) || outcome === 'stopped'
}
