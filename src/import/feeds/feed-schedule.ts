/** When feeds run: their schedules, the run that is due, and the overview for people. */

import { Cron } from 'croner'
import type { Failure } from '../../lib/failure.ts'
import type { FeedSettings } from './feed-settings.ts'
import type { PriceSourceUse } from './price-source-store.ts'

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
  /** When its last scheduled run was queued. */
  readonly scheduledAt: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly outcome: 'imported' | 'unchanged' | 'failed' | 'stopped' | null
  readonly succeededAt: number | null
  readonly failedAt: number | null
  readonly failure: Failure | null
  readonly failures: number
  /** Hash of the settings that the list was imported with. */
  readonly settingsHash: string | null
  /** A price service asked to send nothing before. */
  readonly waitsUntil: number | null
}

/** Whether a scheduled time has passed. Several missed runs are one. */
export function isDue(
  schedule: FeedSchedule,
  { scheduledAt, waitsUntil }: Pick<FeedState, 'scheduledAt'> & Partial<Pick<FeedState, 'waitsUntil'>>,
  now: number,
): boolean {
  if ((waitsUntil ?? 0) > now) return false
  const next = nextRunAt(schedule, scheduledAt)
  return next !== undefined && next <= now
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
  /** Of a price service; null for a file. */
  readonly prices: (PriceSourceUse & { readonly requestsPerDay: number }) | null
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

export function describeFeed(
  feed: FeedSettings,
  state: FeedHistory = NEVER_RUN,
  now: number,
  use: PriceSourceUse | null = null,
): FeedOverview {
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
    prices: use && feed.api && { ...use, requestsPerDay: feed.api.requests_per_day },
  }
}
