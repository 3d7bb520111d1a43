/** Runs a feed: downloads the whole list, imports it and records the result. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Actor } from '../../auth/actor.ts'
import type { Database } from '../../db/database.ts'
import { insertRunningJob, jobStore, newJobId } from '../../jobs/job-store.ts'
import { withImportLock } from '../import-lock.ts'
import { failureMessage, type ImportOutcome, runImport } from '../import-run-service.ts'
import { failRun, maskFailureMessage, startRunOfJob } from '../import-run-store.ts'
import type { Importer } from '../importer.ts'
import type { Progress } from '../progress-service.ts'
import { openByteSource } from '../read/byte-source-service.ts'
import { type FetchedFeed, fetchFeed } from './feed-fetch-service.ts'
import type { CacheValidators } from './feed-schedule.ts'
import type { FeedSettings } from './feed-settings.ts'
import { feedLabel, feedStore } from './feed-store.ts'

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
      await rm(downloadPath(request), { force: true })
    }
  })
}

/** Runs a feed in this process and records it as a job that the leader does not run. */
export async function runFeedAsJob(request: Omit<FeedRunRequest, 'jobId'>): Promise<FeedRunResult> {
  const { db, feed, now } = request
  const id = newJobId(now())
  const job = { id, kind: 'command', format: feed.format, file: feedLabel(feed.name), now: now() } as const
  await db.transaction((tx) => insertRunningJob(tx, { ...job, subject: feed.name, startedAt: null }))
  try {
    return await runFeed({ ...request, jobId: id })
  } catch (error) {
    // Does nothing if the failure is recorded already.
    const message = maskFailureMessage(failureMessage(error))
    await db.transaction((tx) => jobStore(db).fail(tx, id, message, now())).catch(() => {})
    throw error
  }
}

async function fetchAndImport(request: FeedRunRequest): Promise<FeedRunResult> {
  const { feed, db, force, now, signal, jobId, willResume } = request
  const { name, settingsHash } = feed
  if (jobId === null) {
    const fetched = await fetchList(request, null)
    return fetched === 'unchanged' ? { outcome: 'unchanged' } : importFetched(request, fetched)
  }
  const store = feedStore(db)
  const lastState = await store.begin(name, now())
  try {
    const canRevalidate =
      !force && lastState.settingsHash === settingsHash && (lastState.etag ?? lastState.lastModified) !== null
    const fetched = await fetchList(request, canRevalidate ? lastState : null)
    if (fetched === 'unchanged') {
      await store.unchanged(name, now())
      return { outcome: 'unchanged' }
    }
    const run = await importFetched(request, fetched)
    await store.imported(name, settingsHash, fetched, now())
    return run
  } catch (error) {
    // If the failure cannot be recorded, the caller still gets the original error.
    const recording =
      signal.aborted && willResume?.() ? store.stop(name, now()) : store.fail(name, failureMessage(error), now())
    await recording.catch(() => {})
    throw error
  }
}

/** A failed download is recorded as a failed import, like a list that cannot be read. */
async function fetchList(
  request: FeedRunRequest,
  validators: CacheValidators | null,
): Promise<FetchedFeed | 'unchanged'> {
  const { feed, db, jobId, now, notify, signal, allowPrivateAddresses: allowPrivate } = request
  const startedAt = now()
  try {
    const addressRules = { allowPrivate }
    return await fetchFeed(feed, { validators, targetPath: downloadPath(request), addressRules, signal, notify })
  } catch (error) {
    if (jobId && !signal.aborted) {
      await startRunOfJob(db, jobId, startedAt)
        .then(() => failRun(db, jobId, now(), failureMessage(error)))
        .catch(() => {})
    }
    throw error
  }
}

async function importFetched(request: FeedRunRequest, fetched: FetchedFeed): Promise<FeedRunResult> {
  const { feed, dataDir, jobId, ...rest } = request
  const source = { ...(await openByteSource(fetched.path)), name: feed.name }
  const result = await runImport({
    ...rest,
    dryRun: jobId === null,
    ...(jobId ? { jobId } : {}),
    source,
    label: feedLabel(feed.name),
    options: feed.options,
    reportsFolder: join(dataDir, 'reports'),
  })
  return { outcome: 'imported', result }
}

/** One path per feed, so that the next run overwrites what a killed one left. */
const downloadPath = ({ dataDir, feed }: FeedRunRequest) => join(dataDir, 'feeds', `${feed.name}.part`)
