import { getImport, getRejectedRows, listFeeds, listImports, undoImport } from '../contract/management-imports.ts'
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
      const runs = await imports.listNewest(operates ? undefined : organizationId)
      return { data: runs.map((run) => presentImportRun(run, operates)) }
    }),
    route(getImport, async (c) => {
      const { organizationId, operates } = c.get('principal')
      const run = await imports.require(c.get('params').id, operates ? undefined : organizationId)
      return { data: presentImportRun(run, operates) }
    }),
    route(listFeeds, async (c) => {
      const { operates } = c.get('principal')
      return { data: (await dependencies.listFeeds()).map((feed) => presentFeed(feed, operates)) }
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
