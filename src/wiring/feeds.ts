import type { Environment } from '../config.ts'
import type { Database } from '../db/open.ts'
import type { Metrics } from '../http/metrics.ts'
import { readFeedFile } from '../import/feeds/feed-file.ts'
import { type FeedOverview, feedOverview } from '../import/feeds/feed-overview.ts'
import { keepSchedule } from '../import/feeds/feed-scheduler.ts'
import type { FeedFile, FeedSettings } from '../import/feeds/feed-settings.ts'
import { feedStore } from '../import/feeds/feed-store.ts'
import type { FeedState } from '../import/feeds/feed-turn.ts'
import type { Log } from '../log.ts'

export type Feeds = ReturnType<typeof openFeeds>

/** The feeds of the operator's file, and every mistake in it. */
export async function feedsIn(file: string, environment: Environment): Promise<FeedFile> {
  if (file === '') return { feeds: [], mistakes: [] }
  // The importers are read only where there are feeds: a service without them starts without.
  const { IMPORTERS } = await import('../import/formats.ts')
  const read = readFeedFile(file, { formats: IMPORTERS, environment, now: Date.now() })
  return { feeds: read.feeds, mistakes: read.mistakes.map((mistake) => `FEEDS_FILE: ${mistake}`) }
}

export async function overviewOf(db: Database, feeds: readonly FeedSettings[]): Promise<FeedOverview[]> {
  if (feeds.length === 0) return []
  const states = await feedStore(db).states()
  return feeds.map((feed) => feedOverview(feed, states.get(feed.name), Date.now()))
}

type Opening = {
  readonly db: Database
  readonly feeds: readonly FeedSettings[]
  readonly metrics: Metrics
  readonly log: Log
}

export function openFeeds({ db, feeds, metrics, log }: Opening) {
  return {
    overview: () => overviewOf(db, feeds),
    /** Has feeds run when they are due, until the function that it returns is called. */
    keep(run: (name: string) => Promise<void>): () => Promise<void> {
      if (feeds.length === 0) return async () => {}
      let states: ReadonlyMap<string, FeedState> = new Map()
      let isFailing = false
      watchFeeds(metrics, feeds, () => states)
      return keepSchedule({
        feeds,
        store: feedStore(db),
        run,
        seen(found) {
          states = found
          if (isFailing) log.info('the schedule of feeds is kept again')
          isFailing = false
        },
        failed(error) {
          if (!isFailing)
            log.warn('the schedule of feeds cannot be kept; trying until it can', { cause: String(error) })
          isFailing = true
        },
        now: Date.now,
      })
    },
  }
}

function watchFeeds(
  { registry }: Metrics,
  feeds: readonly FeedSettings[],
  states: () => ReadonlyMap<string, FeedState>,
): void {
  const known = () => feeds.flatMap(({ name }) => states().get(name) ?? [])
  registry.gauges(
    'feed_success_age_seconds',
    'Time since a feed was last imported or found unchanged, or since it was added where it never was.',
    () => known().map((state) => [{ feed: state.name }, (Date.now() - (state.succeededAt ?? state.addedAt)) / 1000]),
  )
  registry.totals('feed_failures_total', 'Runs of a feed that failed, counted in the store.', () =>
    known().map((state) => [{ feed: state.name }, state.failures]),
  )
}
