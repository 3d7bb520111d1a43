/** One run of a feed: alone with it, fetched whole, imported like any list, and what came of it kept. */
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
import type { CacheValidators } from './feed-due.ts'
import { type FetchedFeed, fetchFeed } from './feed-fetch-service.ts'
import type { FeedSettings } from './feed-settings.ts'
import { feedStore } from './feed-store.ts'

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
  /** Asked for by the schedule: what another process is running already is left to it. */
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
  const { feed, db, scheduled, notify: tell, signal } = request
  const { alone } = feedStore(db)
  const onWait = () => {
    if (scheduled) throw new FeedRunsElsewhere()
    tell(`Another process is running the feed ${feed.name}; this one starts when it has ended.`)
  }
  try {
    return await withImportLock(
      (work, wait) => alone(feed.name, work, wait),
      () => runLocked(request).finally(() => rm(downloadPath(request), { force: true })),
      onWait,
      signal,
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
  const before = await store.begin(name, now())
  try {
    const isKnown = !force && before.settingsHash === settingsHash && (before.etag ?? before.lastModified) !== null
    const fetched = await fetchList(request, isKnown ? before : null)
    if (fetched === 'unchanged') {
      await store.unchanged(name, now())
      return { outcome: 'unchanged' }
    }
    const run = await importFetched(request, fetched)
    await store.imported(name, settingsHash, fetched, now())
    return run
  } catch (error) {
    // What is said is the failure itself, even if it cannot be kept.
    const kept = scheduled && signal.aborted ? store.stop(name, now()) : store.fail(name, failureMessage(error), now())
    await kept.catch(() => {})
    throw error
  }
}

/** A list that did not come is a failed import in the record, like one that came and could not be read. */
async function fetchList(
  request: FeedRunRequest,
  validators: CacheValidators | null,
): Promise<FetchedFeed | 'unchanged'> {
  const { feed, db, dryRun, now, notify: tell, signal } = request
  const startedAt = now()
  try {
    return await fetchFeed(feed, { validators, targetPath: downloadPath(request), signal, notify: tell })
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
  const imported = await runImport({
    ...request,
    source,
    label: runLabel(feed),
    options: feed.options,
    reportsFolder: join(dataDir, 'reports'),
  })
  return { outcome: 'imported', result: imported }
}

const runLabel = (feed: FeedSettings) => `feed ${feed.name}`

/** One place for each feed, so that what a killed run left is overwritten by the next. */
const downloadPath = ({ dataDir, feed }: FeedRunRequest) => join(dataDir, 'feeds', `${feed.name}.part`)
