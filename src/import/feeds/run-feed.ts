/** One run of a feed: alone with it, fetched whole, imported like any list, and what came of it kept. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Actor } from '../../access/actor.ts'
import type { Database } from '../../db/open.ts'
import { sortableId } from '../../id.ts'
import type { Importer } from '../importer.ts'
import { openSource } from '../read/source.ts'
import { failureSentence, type Imported, runImport } from '../run-import.ts'
import { failRun, startRun } from '../run-store.ts'
import { inTurn } from '../turn.ts'
import { type Fetched, fetchFeed } from './feed-fetch.ts'
import type { FeedSettings } from './feed-settings.ts'
import { feedStore } from './feed-store.ts'
import type { Validators } from './feed-turn.ts'

export type FeedOrder = {
  readonly feed: FeedSettings
  readonly importer: Importer
  readonly db: Database
  readonly dataDir: string
  readonly actor: Actor
  readonly dryRun: boolean
  /** Fetch and import what did not change, too, and go on where a guard of the importer would refuse. */
  readonly force: boolean
  /** Asked for by the schedule: what another process is running already is left to it. */
  readonly scheduled: boolean
  readonly now: () => number
  readonly tell: (sentence: string) => void
  readonly signal: AbortSignal
}

export type FeedRun =
  | { readonly outcome: 'imported'; readonly imported: Imported }
  | { readonly outcome: 'unchanged' | 'elsewhere' }

class RunsElsewhere extends Error {}

export async function runFeed(order: FeedOrder): Promise<FeedRun> {
  const { feed, db, scheduled, tell, signal } = order
  const { alone } = feedStore(db)
  const onWait = () => {
    if (scheduled) throw new RunsElsewhere()
    tell(`Another process is running the feed ${feed.name}; this one starts when it has ended.`)
  }
  try {
    return await inTurn(
      (work, wait) => alone(feed.name, work, wait),
      () => runAlone(order).finally(() => rm(fetchedPath(order), { force: true })),
      onWait,
      signal,
    )
  } catch (error) {
    if (error instanceof RunsElsewhere) return { outcome: 'elsewhere' }
    throw error
  }
}

async function runAlone(order: FeedOrder): Promise<FeedRun> {
  const { feed, db, dryRun, force, scheduled, now, signal } = order
  const { name, settingsHash } = feed
  if (dryRun) {
    const fetched = await fetchList(order, null)
    return fetched === 'unchanged' ? { outcome: 'unchanged' } : importFetched(order, fetched)
  }
  const store = feedStore(db)
  const before = await store.begin(name, now())
  try {
    const isKnown = !force && before.settingsHash === settingsHash && (before.etag ?? before.lastModified) !== null
    const fetched = await fetchList(order, isKnown ? before : null)
    if (fetched === 'unchanged') {
      await store.unchanged(name, now())
      return { outcome: 'unchanged' }
    }
    const run = await importFetched(order, fetched)
    await store.imported(name, settingsHash, fetched, now())
    return run
  } catch (error) {
    // What is said is the failure itself, even if it cannot be kept.
    const kept = scheduled && signal.aborted ? store.stop(name, now()) : store.fail(name, failureSentence(error), now())
    await kept.catch(() => {})
    throw error
  }
}

/** A list that did not come is a failed import in the record, like one that came and could not be read. */
async function fetchList(order: FeedOrder, known: Validators | null): Promise<Fetched | 'unchanged'> {
  const { feed, db, dryRun, now, tell, signal } = order
  const startedAt = now()
  try {
    return await fetchFeed(feed, { known, into: fetchedPath(order), signal, tell })
  } catch (error) {
    if (!dryRun && !signal.aborted) {
      const id = sortableId('imp', startedAt)
      await startRun(db, { id, format: feed.format, file: fileName(feed), startedAt })
        .then(() => failRun(db, id, now(), failureSentence(error)))
        .catch(() => {})
    }
    throw error
  }
}

async function importFetched(order: FeedOrder, fetched: Fetched): Promise<FeedRun> {
  const { feed, dataDir } = order
  const source = { ...(await openSource(fetched.path)), name: feed.name }
  const imported = await runImport({
    ...order,
    source,
    file: fileName(feed),
    options: feed.options,
    reports: join(dataDir, 'reports'),
  })
  return { outcome: 'imported', imported }
}

const fileName = (feed: FeedSettings) => `feed ${feed.name}`

/** One place for each feed, so that what a killed run left is overwritten by the next. */
const fetchedPath = ({ dataDir, feed }: FeedOrder) => join(dataDir, 'feeds', `${feed.name}.part`)
