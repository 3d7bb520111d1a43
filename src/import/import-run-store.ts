/** Import runs: when, which file, and the result. */
import { authStore } from '../auth/auth-store.ts'
import type { Database, Tx } from '../db/database.ts'
import type { ImportRunTable } from '../db/schema.ts'
import { writeEvents } from '../events/event-store.ts'
import { COMMON_SCOPE } from '../pricing/observations/observation-store.ts'
import { maskIdentifier } from '../risk/identifier/identifier-mask.ts'

const MAX_FAILURE_CHARS = 300
/** Newest runs among which those that an organization may see are searched: bounds the work of one request. */
const MAX_SEARCHED_RUNS = 1_000
const CONTRIBUTION_LABEL = 'contributed by '

/** `file` of a run of prices that an organization contributed by API. */
export const contributionLabel = (organizationId: string) => `${CONTRIBUTION_LABEL}${organizationId}`

export type ImportRun = {
  readonly id: string
  readonly format: string
  /** As the operator wrote it. */
  readonly file: string
  readonly startedAt: number
  readonly finishedAt: number | null
  /** `unfinished`: still running, or killed. */
  readonly state: 'done' | 'failed' | 'unfinished'
  readonly counts: Readonly<Record<string, number>>
  /** Why it failed, with identifiers masked. */
  readonly failure: string | null
  readonly rejectedBy: Readonly<Record<string, number>>
  /** File with the rejected rows, in the reports folder of the machine that ran the import. */
  readonly report: string | null
  /** When its prices were removed again; null otherwise. */
  readonly undoneAt: string | null
  /** Organization that alone may see it, beside the operator; null for a run of the service. */
  readonly organizationId: string | null
}

export async function startRun(
  db: Database,
  run: Pick<ImportRun, 'id' | 'format' | 'file' | 'startedAt'>,
  alsoWrite?: (tx: Tx, runId: string) => Promise<void>,
) {
  const { id, format, file, startedAt } = run
  const row: ImportRunTable = { id, format, file, started_at: startedAt, finished_at: null, result: '{}' }
  await db.transaction(async (tx) => {
    await db.insertMany(tx, 'import_run', [row])
    await alsoWrite?.(tx, id)
  })
}

export type RunEndOptions = {
  /** Organization of the import; null for an import of the service, whose event goes to every organization. */
  readonly organizationId?: string | null
  /** Further writes in the same transaction. */
  readonly alsoWrite?: ((tx: Tx) => Promise<void>) | undefined
}

export async function finishRun(
  db: Database,
  id: string,
  finishedAt: number,
  result: object,
  { organizationId = null, alsoWrite }: RunEndOptions = {},
): Promise<void> {
  await db.transaction(async (tx) => {
    await alsoWrite?.(tx)
    const run = await tx.selectFrom('import_run').select('format').where('id', '=', id).executeTakeFirst()
    await tx
      .updateTable('import_run')
      .set({ finished_at: finishedAt, result: JSON.stringify({ ...result, organizationId }) })
      .where('id', '=', id)
      .execute()
    if (!run) return
    const counts = Object.fromEntries(Object.entries(result).filter(isCount))
    // File name and failure are only for the operator.
    const data = { run_id: id, format: run.format, state: 'failed' in result ? 'failed' : 'done', counts } as const
    const eventBase = { organizationId, subject: `import ${run.format}`, createdAt: finishedAt }
    await writeEvents(db, tx, [{ type: 'import.finished', ...eventBase, data }])
  })
}

const isCount = (entry: [string, unknown]): entry is [string, number] => typeof entry[1] === 'number'

export async function failRun(
  db: Database,
  id: string,
  finishedAt: number,
  message: string,
  { report = null, ...options }: RunEndOptions & { readonly report?: string | null } = {},
): Promise<void> {
  await finishRun(db, id, finishedAt, { failed: maskFailureMessage(message), report }, options)
}

/** Masks identifiers, which are personal data: a message may quote cells of a file. */
export function maskFailureMessage(message: string): string {
  return message.replace(/\d[\dA-Fa-f*#]{12,}/g, maskIdentifier).slice(0, MAX_FAILURE_CHARS)
}

/** Records that the prices of a run were removed. */
export async function markUndone(tx: Tx, id: string, undoneAt: string): Promise<void> {
  const run = await tx.selectFrom('import_run').select('result').where('id', '=', id).executeTakeFirst()
  if (!run) return
  const result = JSON.stringify({ ...(JSON.parse(run.result) as object), undoneAt })
  await tx.updateTable('import_run').set({ result }).where('id', '=', id).execute()
}

/** Newest runs. With `visibleTo` without those of other organizations. Ids sort by time, so their index is used. */
export async function listNewestRuns(db: Database, limit: number, visibleTo?: string): Promise<ImportRun[]> {
  const newest = db.query.selectFrom('import_run').selectAll().orderBy('id', 'desc')
  if (visibleTo === undefined) return (await newest.limit(limit).execute()).map(toImportRun)
  const rows = await db.query
    .selectFrom(newest.limit(MAX_SEARCHED_RUNS).as('newest'))
    .selectAll()
    .where(({ eb, or }) =>
      or([eb('file', 'not like', `${CONTRIBUTION_LABEL}%`), eb('file', '=', contributionLabel(visibleTo))]),
    )
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toImportRun).filter(({ organizationId }) => organizationId === null || organizationId === visibleTo)
}

export async function findRun(db: Database, id: string): Promise<ImportRun | undefined> {
  const row = await db.query.selectFrom('import_run').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toImportRun(row)
}

function toImportRun(row: ImportRunTable): ImportRun {
  const result = JSON.parse(row.result) as Record<string, unknown>
  const failure = typeof result.failed === 'string' ? result.failed : null
  const finishedState = failure === null ? 'done' : 'failed'
  return {
    id: row.id,
    format: row.format,
    file: row.file,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    state: row.finished_at === null ? 'unfinished' : finishedState,
    counts: Object.fromEntries(Object.entries(result).filter(isCount)),
    failure,
    rejectedBy: (result.rejectedBy ?? {}) as ImportRun['rejectedBy'],
    report: typeof result.report === 'string' ? result.report : null,
    undoneAt: typeof result.undoneAt === 'string' ? result.undoneAt : null,
    organizationId: typeof result.organizationId === 'string' ? result.organizationId : null,
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
