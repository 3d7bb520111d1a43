/** Runs a feed under its lock: downloads the whole list, imports it and records the result. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Actor } from '../../auth/actor.ts'
import type { Database } from '../../db/database.ts'
import { sortableId } from '../../lib/id.ts'
import { withImportLock } from '../import-lock.ts'
import { failureMessage, type ImportOutcome, runImport } from '../import-run-service.ts'
import { failRun, startRun } from '../import-run-store.ts'
import type { Importer } from '../importer.ts'
import type { Progress } from '../progress-service.ts'
import { openByteSource } from '../read/byte-source-service.ts'
import { type FetchedFeed, fetchFeed } from './feed-fetch-service.ts'
import type { CacheValidators } from './feed-schedule.ts'
import type { FeedSettings } from './feed-settings.ts'
import { feedLock, feedStore } from './feed-store.ts'

export type FeedRunRequest = {
  readonly feed: FeedSettings
  readonly importer: Importer
  readonly db: Database
  readonly dataDir: string
  /** The market of prices whose rows name none and whose currency says nothing. */
  readonly defaultMarket: string
  readonly actor: Actor
  readonly dryRun: boolean
  /** Fetch and import the list even if it did not change. */
  readonly force: boolean
  readonly acceptShrink: boolean
  /** Started by the scheduler: skipped if another process is already running it. */
  readonly scheduled: boolean
  readonly now: () => number
  readonly notify: (sentence: string) => void
  readonly signal: AbortSignal
  /** Where progress is shown; stderr if absent. */
  readonly progress?: Progress
}

export type FeedRunResult =
  | { readonly outcome: 'imported'; readonly result: ImportOutcome }
  | { readonly outcome: 'unchanged' | 'elsewhere' }

class FeedRunsElsewhere extends Error {}

export async function runFeed(request: FeedRunRequest): Promise<FeedRunResult> {
  const { feed, db, scheduled, notify, signal } = request
  const onWait = () => {
    if (scheduled) throw new FeedRunsElsewhere()
    notify(`Another process is running the feed ${feed.name}; this one starts when it has ended.`)
  }
  try {
    return await withImportLock({ db, name: feedLock(feed.name), onWait, signal }, () =>
      runLocked(request).finally(() => rm(downloadPath(request), { force: true })),
    )
  } catch (error) {
    if (error instanceof FeedRunsElsewhere) return { outcome: 'elsewhere' }
    throw error
  }
}

async function runLocked(request: FeedRunRequest): Promise<FeedRunResult> {
  const { feed, db, dryRun, force, scheduled, now, signal } = request
  const { name, settingsHash } = feed
  if (dryRun) {
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
      scheduled && signal.aborted ? store.stop(name, now()) : store.fail(name, failureMessage(error), now())
    await recording.catch(() => {})
    throw error
  }
}

/** A failed download is recorded as a failed import, like a list that cannot be read. */
async function fetchList(
  request: FeedRunRequest,
  validators: CacheValidators | null,
): Promise<FetchedFeed | 'unchanged'> {
  const { feed, db, dryRun, now, notify, signal } = request
  const startedAt = now()
  try {
    return await fetchFeed(feed, { validators, targetPath: downloadPath(request), signal, notify })
  } catch (error) {
    if (!dryRun && !signal.aborted) {
      const id = sortableId('imp', startedAt)
      await startRun(db, { id, format: feed.format, file: runLabel(feed), startedAt })
        .then(() => failRun(db, id, now(), failureMessage(error)))
        .catch(() => {})
    }
    throw error
  }
}

async function importFetched(request: FeedRunRequest, fetched: FetchedFeed): Promise<FeedRunResult> {
  const { feed, dataDir } = request
  const source = { ...(await openByteSource(fetched.path)), name: feed.name }
  const result = await runImport({
    ...request,
    source,
    label: runLabel(feed),
    options: feed.options,
    reportsFolder: join(dataDir, 'reports'),
  })
  return { outcome: 'imported', result }
}

const runLabel = (feed: FeedSettings) => `feed ${feed.name}`

/** One path per feed, so that the next run overwrites what a killed one left. */
const downloadPath = ({ dataDir, feed }: FeedRunRequest) => join(dataDir, 'feeds', `${feed.name}.part`)
