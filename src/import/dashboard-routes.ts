import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '../http/api-error.ts'
import { conflict, notFound } from '../lib/errors.ts'
import { type DashboardDependencies, isOperator } from '../people/dashboard-dependencies.ts'
import { type DashboardRoute, dashboardRoute } from '../people/session-route.ts'
import type { ImportRun } from './import-run-store.ts'
import { canUndo, presentFeed, presentImportRun } from './present-import.ts'

const MAX_RUNS = 50
/** Report names of `import`. Stored names are checked too, so that no other file is ever opened. */
const REPORT_FILE_NAME = /^import-[a-z-]{1,20}-[0-9TZ-]{10,30}\.csv$/

/**
 * Import history. File names, failures and rejected rows are shown only to the organization that runs the service.
 */
export function importDashboardRoutes(parts: DashboardDependencies): DashboardRoute[] {
  return [
    dashboardRoute('GET /account/imports', async (c) => {
      const forOperator = await isOperator(parts, c)
      const runs = await parts.newestImports(MAX_RUNS, forOperator ? undefined : c.get('organization').id)
      return { data: runs.map((run) => presentImportRun(run, forOperator)) }
    }),
    dashboardRoute('GET /account/imports/rejected', async (c) => {
      if (!(await isOperator(parts, c))) {
        throw new ApiError('FORBIDDEN', 'Rejected rows are shown to the organization that runs this service.')
      }
      const run = await parts.findImport(c.req.query('id') ?? '')
      const path = run ? reportPath(parts.reportsFolder, run) : null
      const fileInfo = path === null ? undefined : await stat(path).catch(() => undefined)
      if (path === null || !fileInfo) throw notFound('A list of rejected rows of this import')
      return new Response(createReadStream(path) as unknown as ReadableStream, {
        headers: {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Length': String(fileInfo.size),
          'Content-Disposition': `attachment; filename="rejected-${run?.format}.csv"`,
          'X-Request-Id': c.get('facts').id,
        },
      })
    }),
    dashboardRoute('POST /account/imports/undo', async (c, { id }) => {
      if (!(await isOperator(parts, c))) {
        throw new ApiError('FORBIDDEN', 'Only the organization that runs this service can undo imports.')
      }
      const run = await parts.findImport(id)
      if (!run) throw notFound('This import')
      if (!canUndo(run)) throw conflict('import', 'This import has no prices to remove.')
      const actor = c.get('principal').actor
      const { observations, restored, devices } = await parts.undoImport(id, actor, c.get('facts').now)
      return { data: { observations, restored, devices } }
    }),
    dashboardRoute('GET /account/feeds', async (c) => {
      const [feeds, forOperator] = await Promise.all([parts.feeds(), isOperator(parts, c)])
      return { data: feeds.map((feed) => presentFeed(feed, forOperator)) }
    }),
  ]
}

/** Path of the file with the rejected rows of a run; null if there is none. */
export const reportPath = (folder: string, { report }: ImportRun) =>
  report !== null && REPORT_FILE_NAME.test(report) ? join(folder, report) : null
