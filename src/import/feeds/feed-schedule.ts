/** When feeds run: their schedules, the run that is due, and the overview for people. */
import { Cron } from 'croner'
import type { FeedSettings } from './feed-settings.ts'

export type FeedSchedule = {
  /** Cron text of five fields; six with seconds first. */
  readonly cron: string
  /** Such as `Europe/Vilnius`. */
  readonly timeZone: string
}

/** The first time after `after`; undefined if there is none. */
export function nextRunAt({ cron, timeZone }: FeedSchedule, after: number): number | undefined {
  return new Cron(cron, { timezone: timeZone, paused: true }).nextRun(new Date(after))?.getTime()
}

export function findScheduleError(schedule: FeedSchedule, now: number): string | undefined {
  try {
    return nextRunAt(schedule, now) === undefined ? 'it has no time in the future' : undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error)
    return `expected cron text such as "30 3 * * *": ${reason}`
  }
}

/** HTTP validators of the imported list, sent with the next request. */
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
  /** Hash of the settings that the list was imported with. */
  readonly settingsHash: string | null
}

/** A process starts a run within a second or two of claiming it; after this time it was killed. */
export const CLAIM_GRACE_MS = 30_000
/** A list that crashes its process must not do so all day. */
const MAX_ATTEMPTS = 3

export type DueRun = { readonly attempt: number }

/** The run that is due: a scheduled time has passed, or the last run was interrupted. Several missed runs are one. */
export function findDueRun(schedule: FeedSchedule, state: FeedState, now: number): DueRun | undefined {
  const next = nextRunAt(schedule, state.claimedAt)
  if (next !== undefined && next <= now) return { attempt: 1 }
  const isGraceOver = now - state.claimedAt >= CLAIM_GRACE_MS
  if (isGraceOver && wasInterrupted(state) && state.attempts < MAX_ATTEMPTS) return { attempt: state.attempts + 1 }
  return undefined
}

/** Whether the last run has no end: it is still running, or its process was killed or stopped. */
export function wasInterrupted({ attempts, claimedAt, startedAt, finishedAt, outcome }: FeedState): boolean {
  const neverStarted = attempts > 0 && (startedAt ?? 0) < claimedAt
  return neverStarted || (startedAt !== null && finishedAt === null) || outcome === 'stopped'
}

type FeedHistory = Pick<
  FeedState,
  'startedAt' | 'finishedAt' | 'succeededAt' | 'failedAt' | 'failure' | 'failures' | 'outcome'
>

export type FeedOverview = Omit<FeedHistory, 'outcome'> & {
  readonly name: string
  readonly format: string
  /** Without the secrets that the environment adds. */
  readonly address: string
  readonly cron: string | null
  readonly timeZone: string | null
  /** `unfinished`: still running, or interrupted. Null: never ran. */
  readonly outcome: FeedState['outcome'] | 'unfinished'
  readonly nextAt: number | null
}

const NEVER_RUN: FeedHistory = {
  startedAt: null,
  finishedAt: null,
  succeededAt: null,
  failedAt: null,
  failure: null,
  failures: 0,
  outcome: null,
}

export function describeFeed(feed: FeedSettings, state: FeedHistory = NEVER_RUN, now: number): FeedOverview {
  const { name, format, url, schedule } = feed
  const { startedAt, finishedAt, succeededAt, failedAt, failure, failures, outcome } = state
  return {
    name,
    format,
    address: url,
    startedAt,
    finishedAt,
    succeededAt,
    failedAt,
    failure,
    failures,
    cron: schedule?.cron ?? null,
    timeZone: schedule?.timeZone ?? null,
    outcome: outcome ?? (startedAt === null ? null : 'unfinished'),
    nextAt: (schedule && nextRunAt(schedule, now)) ?? null,
  }
}
