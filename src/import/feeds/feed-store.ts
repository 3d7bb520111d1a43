/** The last result of each feed, and what its next request sends. */

import { sql, type UpdateObject } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { FeedTable, Schema } from '../../db/schema.ts'
import { INTERRUPTED, jobStore } from '../../jobs/job-store.ts'
import { type Failure, parseFailure } from '../../lib/failure.ts'
import { maskFailure } from '../import-run-store.ts'
import type { CacheValidators, FeedState } from './feed-schedule.ts'
import type { FeedSettings } from './feed-settings.ts'

export type FeedStore = ReturnType<typeof feedStore>

/** Names the feed in the record of its imports. */
export const feedLabel = (name: string) => `feed ${name}`

export function feedStore(db: Database) {
  const jobs = jobStore(db)

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
    /** Queues a run of a feed, unless one is queued or running. */
    async enqueue({ name, format }: Pick<FeedSettings, 'name' | 'format'>, now: number): Promise<void> {
      if (await jobs.hasUnfinished('feed', name)) return
      await db.transaction((tx) =>
        jobs.enqueue(tx, { kind: 'feed', subject: name, format, file: feedLabel(name), now }),
      )
    },

    /** Queues a scheduled run if the feed is still in the `expected` state, unless one is queued or running. */
    async enqueueScheduled(
      { name, format }: Pick<FeedSettings, 'name' | 'format'>,
      expected: Pick<FeedState, 'scheduledAt'>,
      now: number,
    ): Promise<void> {
      if (await jobs.hasUnfinished('feed', name)) return
      await db.transaction(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('feed')
          .set({ scheduled_at: now })
          .where('name', '=', name)
          .where('scheduled_at', '=', expected.scheduledAt)
          .executeTakeFirstOrThrow()
        if (Number(numUpdatedRows) === 0) return
        await jobs.enqueue(tx, { kind: 'feed', subject: name, format, file: feedLabel(name), now })
      })
    },

    /** A run without an end was interrupted, which counts as a failure. */
    async begin(name: string, now: number): Promise<FeedState> {
      await register([name], now)
      return db.transaction(async (tx) => {
        const row = await tx.selectFrom('feed').selectAll().where('name', '=', name).executeTakeFirstOrThrow()
        const wasInterrupted = row.started_at !== null && row.finished_at === null
        const failure = { failed_at: row.started_at, failure: JSON.stringify(INTERRUPTED), failures: row.failures + 1 }
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

    async fail(name: string, failed: Failure, now: number): Promise<void> {
      const stored = JSON.stringify(maskFailure(failed))
      const failure = { failed_at: now, failure: stored, failures: sql<number>`failures + 1` }
      await update(name, { finished_at: now, outcome: 'failed', ...failure })
    },

    /** Stopped together with the service: not a failure, and continued after the next start. */
    stop: (name: string, now: number) => update(name, { finished_at: now, outcome: 'stopped' }),
  }
}

function newFeed(name: string, now: number): FeedTable {
  return {
    name,
    added_at: now,
    scheduled_at: now,
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
    requests_on: null,
    requests: 0,
    waits_until: null,
  }
}

function toFeedState(row: FeedTable): FeedState {
  return {
    name: row.name,
    addedAt: row.added_at,
    scheduledAt: row.scheduled_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    outcome: row.outcome,
    succeededAt: row.succeeded_at,
    failedAt: row.failed_at,
    failure: parseFailure(row.failure),
    failures: row.failures,
    settingsHash: row.settings_hash,
    etag: row.etag,
    lastModified: row.last_modified,
    waitsUntil: row.waits_until,
  }
}
