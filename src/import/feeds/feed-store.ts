/** What came of each feed, kept where every process sees it. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { FeedTable } from '../../db/schema.ts'
import { maskFailureMessage } from '../import-run-store.ts'
import type { CacheValidators, FeedState } from './feed-due.ts'

export type FeedStore = ReturnType<typeof feedStore>

class FeedIsRunning extends Error {}

export function feedStore(db: Database) {
  async function update(name: string, change: Partial<FeedTable>): Promise<void> {
    await db.transaction(async (tx) => {
      await tx.updateTable('feed').set(change).where('name', '=', name).execute()
    })
  }

  async function states(): Promise<ReadonlyMap<string, FeedState>> {
    const rows = await db.query.selectFrom('feed').selectAll().execute()
    return new Map(rows.map((row) => [row.name, toFeedState(row)]))
  }

  /** Notes feeds that nobody saw before: their first turn is the next that their schedule names. */
  async function register(names: readonly string[], now: number): Promise<void> {
    const known = await states()
    const rows = names.filter((name) => !known.has(name)).map((name) => newFeed(name, now))
    if (rows.length === 0) return
    await db.transaction((tx) => db.insertMany(tx, 'feed', rows, { conflictColumns: ['name'], updateColumns: [] }))
  }

  /** Runs `work` while no other process runs this feed. */
  const alone = <T>(name: string, work: () => Promise<T>, onWait: () => void) =>
    db.withLock(`feed-${name}`, work, onWait)

  return {
    states,
    register,
    alone,

    async isRunning(name: string): Promise<boolean> {
      try {
        await alone(
          name,
          async () => {},
          () => {
            throw new FeedIsRunning()
          },
        )
        return false
      } catch (error) {
        if (error instanceof FeedIsRunning) return true
        throw error
      }
    },

    /** Takes the turn of the feed as it was seen; of several processes that try, one gets it. */
    async take(seen: FeedState, attempt: number, now: number): Promise<boolean> {
      // Two turns of one feed never look alike, even when a clock stands still.
      const takenAt = Math.max(now, seen.claimedAt + 1)
      return db.transaction(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('feed')
          .set({ taken_at: takenAt, attempts: attempt })
          .where('name', '=', seen.name)
          .where('taken_at', '=', seen.claimedAt)
          .executeTakeFirstOrThrow()
        return Number(numUpdatedRows) === 1
      })
    },

    /** To be called by whoever is alone with the feed: one without an end was cut off, and that counts as a failure. */
    async begin(name: string, now: number): Promise<FeedState> {
      await register([name], now)
      return db.transaction(async (tx) => {
        const row = await tx.selectFrom('feed').selectAll().where('name', '=', name).executeTakeFirstOrThrow()
        const cutOff = row.started_at !== null && row.finished_at === null
        const lost = { failed_at: row.started_at, failure: 'Interrupted.', failures: row.failures + 1 }
        await tx
          .updateTable('feed')
          .set({ started_at: now, finished_at: null, outcome: null, ...(cutOff ? lost : {}) })
          .where('name', '=', name)
          .execute()
        return toFeedState(row)
      })
    },

    unchanged: (name: string, now: number) =>
      update(name, { finished_at: now, outcome: 'unchanged', succeeded_at: now }),

    /** What the address said is kept only once the list is in: what was fetched and not imported is fetched again. */
    imported: (name: string, settingsHash: string, { etag, lastModified }: CacheValidators, now: number) =>
      update(name, {
        ...{ finished_at: now, outcome: 'imported', succeeded_at: now },
        ...{ settings_hash: settingsHash, etag, last_modified: lastModified },
      }),

    async fail(name: string, why: string, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await tx
          .updateTable('feed')
          .set({
            ...{ finished_at: now, outcome: 'failed', failed_at: now, failure: maskFailureMessage(why) },
            failures: sql`failures + 1`,
          })
          .where('name', '=', name)
          .execute()
      })
    },

    /** Told to end with the service: no failure, and begun again by the next one. */
    stop: (name: string, now: number) => update(name, { finished_at: now, outcome: 'stopped' }),
  }
}

function newFeed(name: string, now: number): FeedTable {
  return {
    name,
    added_at: now,
    taken_at: now,
    attempts: 0,
    started_at: null,
    finished_at: null,
    outcome: null,
    succeeded_at: null,
    failed_at: null,
    failure: null,
    failures: 0,
    settings_hash: null,
    etag: null,
    last_modified: null,
  }
}

function toFeedState(row: FeedTable): FeedState {
  return {
    name: row.name,
    addedAt: row.added_at,
    claimedAt: row.taken_at,
    attempts: row.attempts,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    outcome: row.outcome,
    succeededAt: row.succeeded_at,
    failedAt: row.failed_at,
    failure: row.failure,
    failures: row.failures,
    settingsHash: row.settings_hash,
    etag: row.etag,
    lastModified: row.last_modified,
  }
}
