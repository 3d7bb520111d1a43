import { sql } from 'kysely'
import type { Database, Tx } from '../db/database.ts'
import type { JobTable } from '../db/schema.ts'
import { type Failure, failure, parseFailure } from '../lib/failure.ts'
import { sortableId } from '../lib/id.ts'
import { reason } from '../lib/reasons.ts'

export type JobKind = JobTable['kind']
export type JobState = JobTable['state']

export type Job = ReturnType<typeof toJob>

export type JobProgress = { readonly rows: number; readonly percent: number | null; readonly note: string | null }

export type JobStore = ReturnType<typeof jobStore>

export type NewJob = {
  readonly id: string
  readonly kind: JobKind
  /** Upload id, feed name or lane of a command; empty for contributions. */
  readonly subject?: string
  readonly format: string
  readonly file: string
  readonly organizationId?: string | null
  readonly now: number
}

/** Ids sort by time. */
export const newJobId = (now: number) => sortableId('imp', now)

/** A list that crashes its process must not do so all day. */
const MAX_ATTEMPTS = 3
const NO_PROGRESS = { is_cancel_requested: 0, rows_read: 0, percent: null, note: null } as const
const UNFINISHED: readonly JobState[] = ['queued', 'running']

export const INTERRUPTED = failure(
  'Interrupted: the process ended during the import. What was written until then stays; import the same again to finish.',
  reason('import_interrupted'),
)
const STOPPED = failure('Stopped; nothing was written.', reason('import_stopped_unwritten'))
const STOPPED_WHILE_RUNNING = failure('Stopped. Import the same file again to finish.', reason('import_stopped'))
const CHECK_STOPPED = failure('It was stopped. Check it again.', reason('check_stopped'))
const CHECK_INTERRUPTED = failure('Interrupted during the check. Check it again.', reason('check_interrupted'))

/** Adds a job that this process runs itself. */
export const insertRunningJob = (tx: Tx, job: NewJob & { readonly startedAt: number | null }) =>
  insertJob(tx, job, 'running', job.startedAt)

async function insertJob(tx: Tx, job: NewJob, state: 'queued' | 'running', startedAt: number | null): Promise<void> {
  const row: JobTable = {
    id: job.id,
    kind: job.kind,
    subject: job.subject ?? '',
    format: job.format,
    file: job.file,
    organization_id: job.organizationId ?? null,
    state,
    attempts: state === 'running' ? 1 : 0,
    ...NO_PROGRESS,
    result: '{}',
    created_at: job.now,
    started_at: startedAt,
    finished_at: null,
  }
  await tx.insertInto('job').values(row).execute()
}

/**
 * Jobs: queued → running → done, failed or cancelled. The leader runs queued jobs in child processes, those of one lane one
 * after the other; commands and contributions are recorded as jobs that their own process runs. A running job whose process is
 * gone is run again by the next leader, because every import can be repeated; that of a command or a contribution is ended.
 */
export function jobStore(db: Database) {
  async function find(id: string): Promise<Job | undefined> {
    const row = await db.query.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toJob(row)
  }

  /** Changes a job that has not ended; returns whether it had not. */
  async function change(tx: Tx, id: string, values: Partial<JobTable>): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('job')
      .set(values)
      .where('id', '=', id)
      .where('state', 'in', UNFINISHED)
      .executeTakeFirst()
    return Number(numUpdatedRows) > 0
  }

  return {
    find,

    /** Adds a job that the leader runs. */
    async enqueue(tx: Tx, job: Omit<NewJob, 'id'>): Promise<string> {
      const id = newJobId(job.now)
      await insertJob(tx, { ...job, id }, 'queued', null)
      await db.announceChange(tx, 'jobs')
      return id
    },

    /** The next job of some kinds: one that the last leader left running, or the longest queued. */
    async findNext(kinds: readonly JobKind[]): Promise<Job | undefined> {
      const rows = await db.query
        .selectFrom('job')
        .selectAll()
        .where('state', 'in', UNFINISHED)
        .where('kind', 'in', kinds)
        .orderBy('state', 'desc')
        .orderBy('id')
        .limit(1)
        .execute()
      return rows[0] && toJob(rows[0])
    },

    /** Jobs of some kinds that are running, or whose process is gone. */
    async running(kinds: readonly JobKind[]): Promise<Job[]> {
      const rows = await db.query
        .selectFrom('job')
        .selectAll()
        .where('state', '=', 'running')
        .where('kind', 'in', kinds)
        .execute()
      return rows.map(toJob)
    },

    /** Whether jobs that were queued since then have not ended. */
    async hasQueuedSince(createdAt: number): Promise<boolean> {
      const rows = await db.query
        .selectFrom('job')
        .select('id')
        .where('state', 'in', UNFINISHED)
        .where('kind', 'in', ['upload-check', 'upload', 'feed'])
        .where('created_at', '>=', createdAt)
        .limit(1)
        .execute()
      return rows.length > 0
    },

    async hasUnfinished(kind: JobKind, subject: string): Promise<boolean> {
      const rows = await db.query
        .selectFrom('job')
        .select('id')
        .where('state', 'in', UNFINISHED)
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .limit(1)
        .execute()
      return rows.length > 0
    },

    /** Starts a job in this process, which holds the lock of its lane. Undefined if it has ended or is not tried again. */
    async begin(id: string, now: number): Promise<Job | undefined> {
      const job = await find(id)
      if (!job || !UNFINISHED.includes(job.state)) return undefined
      if (job.isCancelRequested) {
        const stopped = { ...failedValues(stopOf(job), now), state: 'cancelled' } as const
        await db.transaction((tx) => change(tx, id, stopped))
        return undefined
      }
      if (job.attempts >= MAX_ATTEMPTS) {
        await db.transaction((tx) => change(tx, id, failedValues(interruptionOf(job), now)))
        return undefined
      }
      const values = { state: 'running', attempts: job.attempts + 1, ...NO_PROGRESS } as const
      return (await db.transaction((tx) => change(tx, id, values))) ? { ...job, state: 'running' } : undefined
    },

    /** Returns whether to continue: false once it should be cancelled. */
    async saveProgress(id: string, { rows, percent, note }: JobProgress): Promise<boolean> {
      const row = await db.transaction((tx) =>
        tx
          .updateTable('job')
          .set({ rows_read: rows, percent, note })
          .where('id', '=', id)
          .where('state', '=', 'running')
          .returning('is_cancel_requested')
          .executeTakeFirst(),
      )
      return row !== undefined && row.is_cancel_requested === 0
    },

    /** A queued job ends at once, a running one at the end of its current step. */
    async cancel(id: string, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await tx
          .updateTable('job')
          .set({ ...failedValues(STOPPED, now), state: 'cancelled' })
          .where('id', '=', id)
          .where('state', '=', 'queued')
          .execute()
        await change(tx, id, { is_cancel_requested: 1 })
      })
    },

    /** The process is stopped: the next leader continues the job. */
    async requeue(id: string): Promise<void> {
      await db.transaction(async (tx) => {
        await change(tx, id, { state: 'queued', attempts: 0 })
        await db.announceChange(tx, 'jobs')
      })
    },

    finish: (tx: Tx, id: string, now: number) => change(tx, id, { state: 'done', finished_at: now }),

    async fail(tx: Tx, id: string, failed: Failure, now: number): Promise<void> {
      await tx
        .updateTable('job')
        .set({ ...failedValues(failed, now), state: failedOrCancelled })
        .where('id', '=', id)
        .where('state', 'in', UNFINISHED)
        .execute()
    },

    /** Removes a job without a trace, such as the check of an upload that is checked again. */
    async remove(tx: Tx, id: string): Promise<void> {
      await tx.deleteFrom('job').where('id', '=', id).execute()
    },
  }
}

export const interruptionOf = ({ kind }: Pick<Job, 'kind'>) =>
  kind === 'upload-check' ? CHECK_INTERRUPTED : INTERRUPTED

const stopOf = ({ kind, startedAt }: Pick<Job, 'kind' | 'startedAt'>) =>
  kind === 'upload-check' ? CHECK_STOPPED : startedAt === null ? STOPPED : STOPPED_WHILE_RUNNING

/** State of a job that ended early. */
export const failedOrCancelled = sql<JobState>`case when is_cancel_requested = 1 then 'cancelled' else 'failed' end`

const failedValues = (failed: Failure, now: number) =>
  ({ state: 'failed', finished_at: now, result: JSON.stringify({ failed }) }) as const

const toJob = (row: JobTable) => ({
  id: row.id,
  kind: row.kind,
  subject: row.subject,
  state: row.state,
  attempts: row.attempts,
  isCancelRequested: row.is_cancel_requested !== 0,
  rowsRead: row.rows_read,
  percent: row.percent,
  note: row.note,
  /** Why it failed or was cancelled. */
  failure: parseFailure((JSON.parse(row.result) as { failed?: unknown }).failed),
  /** When the import began; null before, and for jobs that import nothing. */
  startedAt: row.started_at,
})
