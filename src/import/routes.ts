import type { ImportsWire } from '../contract/imports.ts'
import { getRejectedRows, listImports, undoImport } from '../contract/management-imports.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { csvResponse } from '../http/csv-response.ts'
import type { FeedOverview } from './feeds/feed-schedule.ts'
import type { ImportHistory } from './import-history-service.ts'
import { presentFeed, presentImportRun } from './present-import.ts'
import { translateRejectedRows } from './rejected-rows.ts'

export type ImportDependencies = {
  readonly imports: ImportHistory
  readonly listFeeds: () => Promise<readonly FeedOverview[]>
}

/** Import history and feeds. File names, failures and addresses are shown to the operator only. */
export function importRoutes(dependencies: ImportDependencies): ApiRoute[] {
  const { imports } = dependencies
  return [
    route(listImports, async (c) => {
      const { organizationId, operates } = c.get('principal')
      const [runs, feeds] = await Promise.all([
        imports.listNewest(operates ? undefined : organizationId),
        dependencies.listFeeds(),
      ])
      const data: ImportsWire = {
        runs: runs.map((run) => presentImportRun(run, operates)),
        feeds: feeds.map((feed) => presentFeed(feed, operates)),
      }
      return { data }
    }),
    route(getRejectedRows, async (c) => {
      const { run, content } = await imports.findRejectedRows(c.get('params').id)
      const lines = translateRejectedRows(content, c.get('query').language)
      return { file: csvResponse(`rejected-${run.format}.csv`, lines, c.get('facts').id) }
    }),
    route(undoImport, async (c) => {
      const { actor } = c.get('principal')
      const { observations, restored, devices } = await imports.undo(c.get('params').id, actor, c.get('facts').now)
      return { data: { observations, restored, devices } }
    }),
  ]
}
