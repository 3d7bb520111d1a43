import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Actor } from '../auth/actor.ts'
import type { Database } from '../db/database.ts'
import { conflict, notFound } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { findRun, type ImportRun, listNewestRuns, runsOf } from './import-run-store.ts'
import { hasReport, readReport } from './job-report-store.ts'
import { canUndo } from './present-import.ts'
import { forgetObservations } from './prices/observation-removal-store.ts'
import { reportPath } from './report-path.ts'

const MAX_RUNS = 50
/** Report names of `import`. Stored names are checked too, so that no other file is ever opened. */
const REPORT_FILE_NAME = /^import-[a-z-]{1,20}-[0-9TZ-]{10,30}\.csv$/

/** Path of the file with the rejected rows of a run; null if there is none. */
export const rejectedRowsPath = (reportsFolder: string, { report }: Pick<ImportRun, 'report'>): string | null =>
  report !== null && REPORT_FILE_NAME.test(report) ? join(reportsFolder, report) : null

export type RejectedRows = {
  readonly run: ImportRun
  /** The CSV file. */
  readonly content: AsyncIterable<string | Uint8Array>
}

export type ImportHistory = ReturnType<typeof importHistory>

/** Imports of the service and the files with their rejected rows. */
export function importHistory(db: Database, dataDir: string) {
  const reportsFolder = join(dataDir, 'reports')

  async function findRejectedRows(id: string): Promise<RejectedRows> {
    const run = await findRun(db, id)
    const path = run ? rejectedRowsPath(reportsFolder, run) : null
    // On the machine that ran the import, until the report is in the database. In this order, because it moves meanwhile.
    const file = path === null ? undefined : await open(path).catch(() => undefined)
    if (run && file) return { run, content: file.createReadStream() }
    if (run && (await hasReport(db, id))) return { run, content: readReport(db, id) }
    throw notFound('A list of rejected rows of this import')
  }

  return {
    /** The newest imports, newest first; with `visibleTo` without those of other organizations. */
    listNewest: (visibleTo?: string) => listNewestRuns(db, MAX_RUNS, visibleTo),

    find: (id: string) => findRun(db, id),

    /** With `visibleTo` those of other organizations are not found. */
    async require(id: string, visibleTo?: string): Promise<ImportRun> {
      const run = await findRun(db, id)
      const isHidden = visibleTo !== undefined && run?.organizationId && run.organizationId !== visibleTo
      if (!run || isHidden) throw notFound('This import')
      return run
    },

    findRejectedRows,

    /** Removes the files that imports of an organization left on this machine, also those of a killed process. */
    async removeFilesOf(organizationId: string): Promise<void> {
      for (const run of await runsOf(db, organizationId)) {
        const recorded = rejectedRowsPath(reportsFolder, run)
        if (recorded !== null) await rm(recorded, { force: true })
        await rm(reportPath(reportsFolder, run.format, run.startedAt), { force: true })
      }
    },

    /** Removes the prices of an import and brings back those that it had replaced. */
    async undo(id: string, actor: Actor, now: number) {
      const run = await findRun(db, id)
      if (!run) throw notFound('This import')
      if (!canUndo(run))
        throw conflict('import', 'This import has no prices to remove.', reason('import_without_prices'))
      return forgetObservations(db, { importId: id }, actor, now)
    },
  }
}
