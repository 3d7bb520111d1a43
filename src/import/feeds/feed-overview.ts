/** A feed as people look at it: what it is, what came of it last, and when it comes next. */

import type { FeedState } from './feed-due.ts'
import { nextRunAt } from './feed-schedule.ts'
import type { FeedSettings } from './feed-settings.ts'

export type FeedOverview = {
  readonly name: string
  readonly format: string
  /** Without the secrets that the environment adds. */
  readonly address: string
  readonly cron: string | null
  readonly timeZone: string | null
  readonly startedAt: number | null
  readonly finishedAt: number | null
  /** `unfinished`: it is running still, or was cut off. Null: it never ran. */
  readonly outcome: 'imported' | 'unchanged' | 'failed' | 'stopped' | 'unfinished' | null
  readonly succeededAt: number | null
  readonly failedAt: number | null
  readonly failure: string | null
  readonly failures: number
  readonly nextAt: number | null
}

export function describeFeed(feed: FeedSettings, state: FeedState | undefined, now: number): FeedOverview {
  const { schedule } = feed
  const startedAt = state?.startedAt ?? null
  return {
    name: feed.name,
    format: feed.format,
    address: feed.address,
    cron: schedule?.cron ?? null,
    timeZone: schedule?.timeZone ?? null,
    startedAt,
    finishedAt: state?.finishedAt ?? null,
    outcome: state?.outcome ?? (startedAt === null ? null : 'unfinished'),
    succeededAt: state?.succeededAt ?? null,
    failedAt: state?.failedAt ?? null,
    failure: state?.failure ?? null,
    failures: state?.failures ?? 0,
    nextAt: (schedule && nextRunAt(schedule, now)) ?? null,
  }
}
