/** Runs a feed: downloads the whole list, imports it and records the result. */

import { join } from 'node:path'
import type { Actor } from '../../auth/actor.ts'
import type { Database } from '../../db/database.ts'
import { insertRunningJob, jobStore, newJobId } from '../../jobs/job-store.ts'
import { failureOf } from '../../lib/failure.ts'
import { withCommandLane } from '../command-lane-service.ts'
import { withImportLock } from '../import-lock.ts'
import { type ImportOutcome, runImport } from '../import-run-service.ts'
import { failRun, maskFailure, startRunOfJob } from '../import-run-store.ts'
import type { Importer } from '../importer.ts'
import type { Progress } from '../progress-service.ts'
import { openByteSource } from '../read/byte-source-service.ts'
import { type FetchedFeed, fetchFeed } from './feed-fetch-service.ts'
import type { CacheValidators, FeedState } from './feed-schedule.ts'
import type { FeedSettings } from './feed-settings.ts'
import { feedLabel, feedStore } from './feed-store.ts'
import { isPriceFeed } from './price-client-service.ts'
import { removeFetched } from './price-fetch-service.ts'
import { fetchDuePrices, recordFetchedPrices } from './price-run-service.ts'

export type FeedRunRequest = {
  readonly feed: FeedSettings
  readonly importer: Importer
  readonly db: Database
  readonly dataDir: string
  /** Whether public host names may lead to private networks. */
  readonly allowPrivateAddresses: boolean
  /** The market of prices whose rows name none and whose currency says nothing. */
  readonly defaultMarket: string
  readonly actor: Actor
  /** Fetch and import the list even if it did not change. */
  readonly force: boolean
  readonly acceptShrink: boolean
  /** The job of this run; null for a dry run, which is not recorded. */
  readonly jobId: string | null
  /** Whether an abort means that the job is continued later. */
  readonly willResume?: () => boolean
  readonly now: () => number
  readonly notify: (sentence: string) => void
  readonly signal: AbortSignal
  /** Where progress is shown; stderr if absent. */
  readonly progress?: Progress
}

export type FeedRunResult =
  | { readonly outcome: 'imported'; readonly result: ImportOutcome }
  | { readonly outcome: 'unchanged' }

export async function runFeed(request: FeedRunRequest): Promise<FeedRunResult> {
  const { feed, db, jobId, notify, signal } = request
  const onWait = () => notify(`Another process is running the feed ${feed.name}; this one starts when it has ended.`)
  return withImportLock({ db, name: `feed-${feed.name}`, onWait, signal }, async () => {
    try {
      const result = await fetchAndImport(request)
      // Nothing was imported: there is nothing to record.
      if (result.outcome === 'unchanged' && jobId) await db.transaction((tx) => jobStore(db).remove(tx, jobId))
      return result
    } finally {
      // A run that continues later does not ask a price service again.
      if (!(signal.aborted && request.willResume?.())) await removeFetched(downloadPath(request))
    }
  })
}

/** Runs a feed in this process and records it as a job that the leader does not run, only ends if this process is killed. */
export const runFeedAsJob = (request: Omit<FeedRunRequest, 'jobId'>): Promise<FeedRunResult> =>
  withCommandLane(request.db, (lane) => runInLane(request, lane))

async function runInLane(request: Omit<FeedRunRequest, 'jobId'>, lane: string): Promise<FeedRunResult> {
  const { db, feed, now } = request
  const id = newJobId(now())
  const job = { id, kind: 'command', format: feed.format, file: feedLabel(feed.name), now: now() } as const
  await db.transaction((tx) => insertRunningJob(tx, { ...job, subject: lane, startedAt: null }))
  try {
    return await runFeed({ ...request, jobId: id })
  } catch (error) {
    // Does nothing if the failure is recorded already.
    const failed = maskFailure(failureOf(error))
    await db.transaction((tx) => jobStore(db).fail(tx, id, failed, now())).catch(() => {})
    throw error
  }
}

async function fetchAndImport(request: FeedRunRequest): Promise<FeedRunResult> {
  const { feed, db, now, signal, jobId, willResume } = request
  const { name } = feed
  const store = feedStore(db)
  if (jobId === null) {
    await store.register([name], now())
    return isPriceFeed(feed) ? runPrices(request, null) : runFile(request, null)
  }
  const lastState = await store.begin(name, now())
  try {
    return await (isPriceFeed(feed) ? runPrices(request, lastState) : runFile(request, lastState))
  } catch (error) {
    // If the failure cannot be recorded, the caller still gets the original error.
    const recording =
      signal.aborted && willResume?.() ? store.stop(name, now()) : store.fail(name, failureOf(error), now())
    await recording.catch(() => {})
    throw error
  }
}

/** `lastState` is null for a dry run. */
async function runFile(request: FeedRunRequest, lastState: FeedState | null): Promise<FeedRunResult> {
  const { feed, db, force, now } = request
  const { name, settingsHash } = feed
  const canRevalidate =
    !force && lastState?.settingsHash === settingsHash && (lastState.etag ?? lastState.lastModified) !== null
  const fetched = await fetchList(request, canRevalidate ? lastState : null)
  if (fetched === 'unchanged') {
    if (lastState) await feedStore(db).unchanged(name, now())
    return { outcome: 'unchanged' }
  }
  const run = await importFetched(request, fetched.path, feed.options)
  if (lastState) await feedStore(db).imported(name, settingsHash, fetched, now())
  return run
}

/** Prices that a price service moves by more on average are held; not at the first time, when there is nothing to compare. */
const MAX_CHANGE = '33%'
const NO_VALIDATORS: CacheValidators = { etag: null, lastModified: null }

async function runPrices(request: FeedRunRequest, lastState: FeedState | null): Promise<FeedRunResult> {
  const { feed, db, now } = request
  if (!isPriceFeed(feed)) throw new Error('not a price service')
  const { name, settingsHash } = feed
  const fetched = await recordFailure(request, () =>
    fetchDuePrices({ ...request, feed, lastState, targetPath: downloadPath(request) }),
  )
  const options = {
    'confirm-amounts': 'yes',
    ...(lastState?.succeededAt ? { 'max-change': MAX_CHANGE } : {}),
    ...feed.options,
  }
  const run: FeedRunResult =
    fetched.listings === 0 ? { outcome: 'unchanged' } : await importFetched(request, fetched.path, options)
  if (lastState === null) return run
  await recordFetchedPrices(request, feed, fetched)
  const { failure } = fetched
  if (failure && run.outcome === 'unchanged') await recordFailure(request, () => Promise.reject(failure))
  if (failure) throw failure
  if (run.outcome === 'unchanged') await feedStore(db).unchanged(name, now())
  else await feedStore(db).imported(name, settingsHash, NO_VALIDATORS, now())
  return run
}

const fetchList = (request: FeedRunRequest, validators: CacheValidators | null): Promise<FetchedFeed | 'unchanged'> =>
  recordFailure(request, () => {
    const { feed, signal, notify, allowPrivateAddresses: allowPrivate } = request
    const targetPath = downloadPath(request)
    return fetchFeed(feed, { validators, targetPath, addressRules: { allowPrivate }, signal, notify })
  })

/** A failed download is recorded as a failed import, like a list that cannot be read. */
async function recordFailure<Result>(
  { db, jobId, now, signal }: FeedRunRequest,
  download: () => Promise<Result>,
): Promise<Result> {
  const startedAt = now()
  try {
    return await download()
  } catch (error) {
    if (jobId && !signal.aborted) {
      await startRunOfJob(db, jobId, startedAt)
        .then(() => failRun(db, jobId, now(), failureOf(error)))
        .catch(() => {})
    }
    throw error
  }
}

async function importFetched(
  request: FeedRunRequest,
  path: string,
  options: FeedSettings['options'],
): Promise<FeedRunResult> {
  const { feed, dataDir, jobId, ...rest } = request
  const source = { ...(await openByteSource(path)), name: feed.name }
  const result = await runImport({
    ...rest,
    dryRun: jobId === null,
    ...(jobId ? { jobId } : {}),
    source,
    label: feedLabel(feed.name),
    options,
    reportsFolder: join(dataDir, 'reports'),
  })
  return { outcome: 'imported', result }
}

/** One path per feed, so that the next run overwrites what a killed one left. */
const downloadPath = ({ dataDir, feed }: FeedRunRequest) => join(dataDir, 'feeds', `${feed.name}.part`)
