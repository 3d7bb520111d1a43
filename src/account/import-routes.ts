import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FeedWire, ImportRunWire } from '../contract/account.ts'
import { notFound } from '../errors.ts'
import { ApiError } from '../http/api-error.ts'
import type { ImportRun } from '../import/run-store.ts'
import { isoInstant, isoInstantOrNull } from '../time.ts'
import type { AccountParts } from './parts.ts'
import { type AccountRoute, reads } from './route.ts'

const SHOWN = 50
/** As `import` names them; the name comes from the store, and still no other file is ever opened. */
const REPORT = /^import-[a-z-]{1,20}-[0-9TZ-]{10,30}\.csv$/

/**
 * What was imported. File names, failures and rejected rows are for the organization that runs the service: several may
 * share it.
 */
export function importRoutes(parts: AccountParts): AccountRoute[] {
  return [
    reads('/account/imports', 'owner', async (c) => {
      const [runs, operator] = await Promise.all([parts.imports(SHOWN), parts.access.operatorOrganization()])
      return { data: runs.map((run) => presentRun(run, operator === c.get('organization').id)) }
    }),
    reads('/account/imports/rejected', 'owner', async (c) => {
      if ((await parts.access.operatorOrganization()) !== c.get('organization').id) {
        throw new ApiError('FORBIDDEN', 'Rejected rows are shown to the organization that runs this service.')
      }
      const { report = null, format } = (await parts.findImport(c.req.query('id') ?? '')) ?? {}
      const path = report !== null && REPORT.test(report) ? join(parts.reports, report) : null
      const found = path === null ? undefined : await stat(path).catch(() => undefined)
      if (path === null || !found) throw notFound('A list of rejected rows of this import')
      return new Response(createReadStream(path) as unknown as ReadableStream, {
        headers: {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Length': String(found.size),
          'Content-Disposition': `attachment; filename="rejected-${format}.csv"`,
          'X-Request-Id': c.get('facts').id,
        },
      })
    }),
    reads('/account/feeds', 'owner', async () => {
      const feeds = await parts.feeds()
      const data: FeedWire[] = feeds.map((feed) => ({
        name: feed.name,
        format: feed.format,
        schedule: feed.cron,
        time_zone: feed.timeZone,
        last_run_at: isoInstantOrNull(feed.startedAt),
        outcome: feed.outcome,
        last_success_at: isoInstantOrNull(feed.succeededAt),
        last_failure_at: isoInstantOrNull(feed.failedAt),
        next_run_at: isoInstantOrNull(feed.nextAt),
      }))
      return { data }
    }),
  ]
}

export function presentRun(run: ImportRun, isOperator: boolean): ImportRunWire {
  return {
    id: run.id,
    format: run.format,
    started_at: isoInstant(run.startedAt),
    finished_at: isoInstantOrNull(run.finishedAt),
    state: run.state,
    figures: { ...run.figures },
    ...(isOperator
      ? { file: run.file, failure: run.failure, rejected_by: { ...run.rejectedBy }, has_report: run.report !== null }
      : {}),
  }
}
