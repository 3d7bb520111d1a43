/** Imports: jobs that have begun to import, with file and result. */

import { authStore } from '../auth/auth-store.ts'
import type { Database, Tx } from '../db/database.ts'
import type { JobTable } from '../db/schema.ts'
import { writeEvents } from '../events/event-store.ts'
import { maskIdentifier } from '../identifier/identifier-mask.ts'
import { failedOrCancelled, insertRunningJob } from '../jobs/job-store.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { type Failure, parseFailure } from '../lib/failure.ts'
import { COMMON_SCOPE } from '../pricing/observations/observation-store.ts'
import type { ImportSummary } from './importer.ts'

const MAX_FAILURE_CHARS = 300

export type ImportRun = ReturnType<typeof toImportRun>

type NewRun = Pick<ImportRun, 'id' | 'format' | 'file' | 'startedAt'> &
  Partial<Pick<ImportRun, 'organizationId'>> & {
    readonly kind?: 'command' | 'contribution'
    /** Lane of a command. */
    readonly subject?: string
  }

/** Records an import that this process runs by itself. */
export async function startRun(db: Database, run: NewRun): Promise<void> {
  const { startedAt, organizationId = null, kind = 'command', ...fields } = run
  await db.transaction((tx) => insertRunningJob(tx, { ...fields, kind, organizationId, now: startedAt, startedAt }))
}

/** Records that a job begins to import: from now on it is listed. */
export async function startRunOfJob(
  db: Database,
  id: string,
  startedAt: number,
  organizationId: string | null = null,
): Promise<void> {
  const values = { started_at: startedAt, organization_id: organizationId }
  await db.transaction((tx) => tx.updateTable('job').set(values).where('id', '=', id).execute())
}

export type RunEndOptions = {
  /** Further writes in the same transaction. */
  readonly alsoWrite?: ((tx: Tx) => Promise<void>) | undefined
}

/** The event goes to the organization of the run, or to every organization if it is of the service. */
export async function finishRun(
  db: Database,
  id: string,
  finishedAt: number,
  result: object,
  { alsoWrite }: RunEndOptions = {},
): Promise<void> {
  await db.transaction(async (tx) => {
    await alsoWrite?.(tx)
    const run = await tx
      .updateTable('job')
      .set({
        state: 'failed' in result ? failedOrCancelled : 'done',
        finished_at: finishedAt,
        result: JSON.stringify(result),
      })
      .where('id', '=', id)
      .returning(['format', 'organization_id'])
      .executeTakeFirst()
    if (!run) return
    const counts = Object.fromEntries(Object.entries(result).filter(isCount))
    // File name and failure are only for the operator.
    const data = { run_id: id, format: run.format, state: 'failed' in result ? 'failed' : 'done', counts } as const
    const eventBase = { organizationId: run.organization_id, subject: `import ${run.format}`, createdAt: finishedAt }
    await writeEvents(db, tx, [{ type: 'import.finished', ...eventBase, data }])
  })
}

const isCount = (entry: [string, unknown]): entry is [string, number] => typeof entry[1] === 'number'

export async function failRun(
  db: Database,
  id: string,
  finishedAt: number,
  failed: Failure,
  { report = null, ...options }: RunEndOptions & { readonly report?: string | null } = {},
): Promise<void> {
  await finishRun(db, id, finishedAt, { failed: maskFailure(failed), report }, options)
}

/** Masks identifiers, which are personal data: a failure may quote cells of a file. */
export function maskFailure({ message, reason_code, params = {} }: Failure): Failure {
  const masked = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? maskFailureMessage(value) : value,
  ])
  return { message: maskFailureMessage(message), reason_code, params: Object.fromEntries(masked) }
}

export function maskFailureMessage(message: string): string {
  return message.replace(/\d[\dA-Fa-f*#]{12,}/g, maskIdentifier).slice(0, MAX_FAILURE_CHARS)
}

/** Records that the prices of a run were removed. */
export async function markUndone(tx: Tx, id: string, undoneAt: string): Promise<void> {
  const run = await tx.selectFrom('job').select('result').where('id', '=', id).executeTakeFirst()
  if (!run) return
  const result = JSON.stringify({ ...(JSON.parse(run.result) as object), undoneAt })
  await tx.updateTable('job').set({ result }).where('id', '=', id).execute()
}

/** The newest runs; with `visibleTo` those of the service and of that organization. Ids sort by time. */
export async function listNewestRuns(db: Database, limit: number, visibleTo?: string): Promise<ImportRun[]> {
  const newest = db.query
    .selectFrom('job')
    .selectAll()
    .where('started_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(limit)
  if (visibleTo === undefined) return (await newest.execute()).map(toImportRun)
  // Two queries, because each of them reads its rows from the index.
  const ofService = await newest.where('organization_id', 'is', null).execute()
  const own = await newest.where('organization_id', '=', visibleTo).execute()
  return [...ofService, ...own]
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit)
    .map(toImportRun)
}

/** Runs of an organization, also those of its uploads into the common market. */
export async function runsOf(db: Database, organizationId: string): Promise<ImportRun[]> {
  const rows = await db.query
    .selectFrom('job')
    .leftJoin('upload', 'upload.job_id', 'job.id')
    .selectAll('job')
    .where((eb) =>
      eb.or([eb('job.organization_id', '=', organizationId), eb('upload.organization_id', '=', organizationId)]),
    )
    .where('job.started_at', 'is not', null)
    .execute()
  return rows.map(toImportRun)
}

export async function findRun(db: Database, id: string): Promise<ImportRun | undefined> {
  const row = await db.query
    .selectFrom('job')
    .selectAll()
    .where('id', '=', id)
    .where('started_at', 'is not', null)
    .executeTakeFirst()
  return row && toImportRun(row)
}

const RUNS_PER_STEP = 500

/** Whether prices or TACs of a run may be stored. A failed or killed run may have stored some. */
const mayHaveRows = ({ format, state, counts, undoneAt }: ImportRun) =>
  format === 'observations' &&
  undoneAt === null &&
  (state !== 'done' || (counts.written ?? 0) > 0 || (counts.tacs_learned ?? 0) > 0)

/**
 * Deletes the runs that started before an instant and yields them. Kept are runs whose prices may still be stored,
 * because they can be undone, and the newest successful run of each format, which tells the age of a list.
 */
export async function* deleteRunsBefore(db: Database, before: number): AsyncGenerator<ImportRun> {
  const newestByFormat = new Map<string, ImportRun>()
  for (let after = ''; ; ) {
    const rows = await db.query
      .selectFrom('job')
      .selectAll()
      .where('id', '>', after)
      .where('started_at', '<', before)
      .orderBy('id')
      .limit(RUNS_PER_STEP)
      .execute()
    const deletable = rows.map(toImportRun).flatMap((run) => {
      if (mayHaveRows(run)) return []
      if (run.state !== 'done') return [run]
      const older = newestByFormat.get(run.format)
      newestByFormat.set(run.format, run)
      return older ? [older] : []
    })
    const ids = deletable.map(({ id }) => id)
    if (ids.length > 0) {
      await db.transaction((tx) => tx.deleteFrom('job').where('id', 'in', ids).execute())
      yield* deletable
    }
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    await yieldToEventLoop()
  }
}

function toImportRun(row: JobTable) {
  const result = JSON.parse(row.result) as Record<string, unknown>
  const textOf = (name: string) => (typeof result[name] === 'string' ? result[name] : null)
  /** Why it failed, with identifiers masked. */
  const failure = parseFailure(result.failed)
  /** `unfinished`: queued, running, or killed. */
  const state =
    row.state === 'queued' || row.state === 'running' ? 'unfinished' : row.state === 'done' ? 'done' : 'failed'
  return {
    id: row.id,
    format: row.format,
    /** As the operator wrote it. */
    file: row.file,
    startedAt: row.started_at ?? row.created_at,
    finishedAt: row.finished_at,
    state: state as 'done' | 'failed' | 'unfinished',
    counts: Object.fromEntries(Object.entries(result).filter(isCount)) as Readonly<Record<string, number>>,
    failure,
    rejectedBy: (result.rejectedBy ?? {}) as Readonly<Record<string, number>>,
    /** How a price list was read; null for other formats. */
    summary: (result.summary ?? null) as
      | (ImportSummary & { readonly remarks: Readonly<Record<string, number>> })
      | null,
    /** File with the rejected rows, in the reports folder of the machine that ran the import. */
    report: textOf('report'),
    /** When its prices were removed again; null otherwise. */
    undoneAt: textOf('undoneAt'),
    /** Organization that alone may see it, beside the operator; null for a run of the service. */
    organizationId: row.organization_id,
  }
}

/** Imports of the operator's organization go to the common market, those of others to their own prices. */
export async function importScope(
  db: Database,
  organizationId: string,
  serviceMarket: string,
): Promise<{ readonly organizationId: string; readonly defaultMarket: string }> {
  const access = authStore(db)
  const [operator, market] = await Promise.all([
    access.operatorOrganization(),
    access.organizationMarket(organizationId),
  ])
  return {
    organizationId: operator === organizationId ? COMMON_SCOPE : organizationId,
    defaultMarket: market ?? serviceMarket,
  }
}
