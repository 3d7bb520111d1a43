import type { Actor } from '../auth/actor.ts'
import type { Database } from '../db/database.ts'
import type { Metrics } from '../http/metrics.ts'
import { describeFeed, type FeedOverview, type FeedState } from '../import/feeds/feed-schedule.ts'
import { feedScheduler } from '../import/feeds/feed-scheduler.ts'
import { type FeedSettings, presetFeed } from '../import/feeds/feed-settings.ts'
import { feedStore } from '../import/feeds/feed-store.ts'
import type { PriceFeed } from '../import/feeds/price-client-service.ts'
import { priceSourceStore } from '../import/feeds/price-source-store.ts'
import { type PriceTest, testPriceFeed } from '../import/feeds/price-test-service.ts'
import type { ContributionService } from '../import/prices/contribution-service.ts'
import type { Scheduler } from '../jobs/scheduler-service.ts'
import type { Log } from '../lib/log.ts'
import { DAY_MS, dayIn } from '../lib/time.ts'
import type { ServiceSettings, ServiceSettingsService } from './service-settings.ts'

export type Feeds = ReturnType<typeof openFeeds>

export async function listFeedOverviews(db: Database, feeds: readonly FeedSettings[]): Promise<FeedOverview[]> {
  if (feeds.length === 0) return []
  const states = await feedStore(db).states()
  const now = Date.now()
  const useOf = ({ name, api }: FeedSettings) =>
    api && priceSourceStore(db).useOf(name, dayIn(now, api.time_zone), now - FRESH_MS)
  return Promise.all(feeds.map(async (feed) => describeFeed(feed, states.get(feed.name), now, await useOf(feed))))
}

/** A paused feed has no schedule and can still be run by hand. */
export const effectiveFeeds = ({ feeds }: Pick<ServiceSettings, 'feeds'>): readonly FeedSettings[] =>
  feeds.map(({ settings, isPaused }) => (isPaused ? { ...settings, schedule: null } : settings))

/** Prices of this age count as fresh. */
const FRESH_MS = 7 * DAY_MS
const UPDATE_TIMEOUT_MS = 20_000

type FeedsDependencies = {
  readonly db: Database
  readonly settings: Pick<ServiceSettingsService, 'current'>
  readonly metrics: Metrics
  readonly jobs: Scheduler
  readonly readRows: ContributionService['read']
  readonly log: Log
}

export function openFeeds({ db, settings, metrics, jobs, readRows, log }: FeedsDependencies) {
  const feeds = () => effectiveFeeds(settings.current())
  let states: ReadonlyMap<string, FeedState> = new Map()
  reportFeedAges(metrics, feeds, () => states)
  return {
    /** Fetches and imports the rates of the European Central Bank now. */
    async updateRates(actor: Actor): Promise<void> {
      const { config } = settings.current()
      const { IMPORTERS, findImporter } = await import('../import/importers.ts')
      const { runFeedAsJob } = await import('../import/feeds/feed-run-service.ts')
      const importer = findImporter('rates')
      if (!importer) throw new Error('no importer for rates')
      const preset = presetFeed('ecb', config.ecbRatesUrl, { formats: IMPORTERS, now: Date.now() })
      await runFeedAsJob({
        db,
        importer,
        actor,
        dataDir: config.dataDir,
        allowPrivateAddresses: config.webhookAllowPrivate,
        defaultMarket: config.market,
        now: Date.now,
        // A person waits for it.
        feed: { ...preset, retries: 0, timeoutMs: UPDATE_TIMEOUT_MS },
        force: true,
        acceptShrink: false,
        notify: (message) => log.info('exchange rates', { message }),
        progress: { at() {}, clear() {} },
        signal: AbortSignal.timeout(UPDATE_TIMEOUT_MS),
      })
    },
    /** Asks a price service about one device; counts as a request of a stored one. */
    async testPrices(feed: PriceFeed, query: string): Promise<PriceTest> {
      const { config } = settings.current()
      const { name, api } = feed
      const isStored = feeds().some((each) => each.name === name)
      if (isStored) await feedStore(db).register([name], Date.now())
      return testPriceFeed(feed, query, {
        readRows,
        defaultMarket: config.market,
        addressRules: { allowPrivate: config.webhookAllowPrivate },
        takeRequest: async () =>
          !isStored || priceSourceStore(db).takeRequest(name, dayIn(Date.now(), api.time_zone), api.requests_per_day),
        now: Date.now,
        signal: AbortSignal.timeout(UPDATE_TIMEOUT_MS),
        notify: () => {},
      })
    },
    /** Queues a run of a feed. */
    async runNow(name: string): Promise<void> {
      const feed = feeds().find((each) => each.name === name)
      if (feed) await feedStore(db).enqueue(feed, Date.now())
    },
    overview: () => listFeedOverviews(db, feeds()),
    /** Queues feeds when they are due, also those that are added later; returns a function that stops it. */
    startSchedule(): () => Promise<void> {
      const onStates = (stored: ReadonlyMap<string, FeedState>) => {
        states = stored
      }
      const { enqueueDue, pauseMs } = feedScheduler({ feeds, store: feedStore(db), onStates, now: Date.now })
      const stop = jobs.add({ name: 'feeds', everyMs: pauseMs, firstAfterMs: 0, run: enqueueDue })
      return async () => {
        await stop()
        // The next leader reports them.
        states = new Map()
      }
    },
  }
}

function reportFeedAges(
  { registry }: Metrics,
  feeds: () => readonly FeedSettings[],
  states: () => ReadonlyMap<string, FeedState>,
): void {
  const knownStates = () => feeds().flatMap(({ name }) => states().get(name) ?? [])
  registry.gauges(
    'feed_success_age_seconds',
    'Time since a feed was last imported or found unchanged, or since it was added where it never was.',
    () =>
      knownStates().map((state) => [{ feed: state.name }, (Date.now() - (state.succeededAt ?? state.addedAt)) / 1000]),
  )
  registry.totals('feed_failures_total', 'Runs of a feed that failed, counted in the store.', () =>
    knownStates().map((state) => [{ feed: state.name }, state.failures]),
  )
}
