/** State of each feed, shared by all processes. */
import { sql, type UpdateObject } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { FeedTable, Schema } from '../../db/schema.ts'
import { isLockHeld } from '../import-lock.ts'
import { maskFailureMessage } from '../import-run-store.ts'
import type { CacheValidators, FeedState } from './feed-schedule.ts'

export type FeedStore = ReturnType<typeof feedStore>

export const feedLock = (name: string) => `feed-${name}`

export function feedStore(db: Database) {
  async function update(name: string, change: UpdateObject<Schema, 'feed'>): Promise<void> {
    await db.transaction(async (tx) => {
      await tx.updateTable('feed').set(change).where('name', '=', name).execute()
    })
  }

  async function states(): Promise<ReadonlyMap<string, FeedState>> {
    const rows = await db.query.selectFrom('feed').selectAll().execute()
    return new Map(rows.map((row) => [row.name, toFeedState(row)]))
  }

  /** Adds new feeds: they first run at the next time of their schedule. */
  async function register(names: readonly string[], now: number): Promise<void> {
    const existing = await states()
    const rows = names.filter((name) => !existing.has(name)).map((name) => newFeed(name, now))
    if (rows.length === 0) return
    await db.transaction((tx) => db.insertMany(tx, 'feed', rows, { conflictColumns: ['name'], updateColumns: [] }))
  }

  return {
    states,
    register,
    isRunning: (name: string) => isLockHeld(db, feedLock(name)),

    /** Claims a run if the feed is still in the `expected` state; only one of several processes succeeds. */
    async claim(expected: FeedState, attempt: number, now: number): Promise<boolean> {
      // Unique per claim, even if the clock stands still.
      const claimedAt = Math.max(now, expected.claimedAt + 1)
      return db.transaction(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('feed')
          .set({ claimed_at: claimedAt, attempts: attempt })
          .where('name', '=', expected.name)
          .where('claimed_at', '=', expected.claimedAt)
          .executeTakeFirstOrThrow()
        return Number(numUpdatedRows) === 1
      })
    },

    /** Call it under the feed's lock. A run without an end was interrupted, which counts as a failure. */
    async begin(name: string, now: number): Promise<FeedState> {
      await register([name], now)
      return db.transaction(async (tx) => {
        const row = await tx.selectFrom('feed').selectAll().where('name', '=', name).executeTakeFirstOrThrow()
        const wasInterrupted = row.started_at !== null && row.finished_at === null
        const failure = { failed_at: row.started_at, failure: 'Interrupted.', failures: row.failures + 1 }
        await tx
          .updateTable('feed')
          .set({ started_at: now, finished_at: null, outcome: null, ...(wasInterrupted ? failure : {}) })
          .where('name', '=', name)
          .execute()
        return toFeedState(row)
      })
    },

    unchanged: (name: string, now: number) =>
      update(name, { finished_at: now, outcome: 'unchanged', succeeded_at: now }),

    /** Validators are stored only after the import: a list that was fetched but not imported is fetched again. */
    imported: (name: string, settingsHash: string, { etag, lastModified }: CacheValidators, now: number) =>
      update(name, {
        finished_at: now,
        outcome: 'imported',
        succeeded_at: now,
        settings_hash: settingsHash,
        etag,
        last_modified: lastModified,
      }),

    async fail(name: string, message: string, now: number): Promise<void> {
      const failure = { failed_at: now, failure: maskFailureMessage(message), failures: sql<number>`failures + 1` }
      await update(name, { finished_at: now, outcome: 'failed', ...failure })
    },

    /** Stopped together with the service: not a failure, and run again after the next start. */
    stop: (name: string, now: number) => update(name, { finished_at: now, outcome: 'stopped' }),
  }
}

function newFeed(name: string, now: number): FeedTable {
  return {
    name,
    added_at: now,
    claimed_at: now,
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
    claimedAt: row.claimed_at,
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
