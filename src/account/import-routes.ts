import type { FeedWire, ImportRunWire } from '../contract/account.ts'
import { isoInstant, isoInstantOrNull } from '../time.ts'
import type { AccountParts } from './parts.ts'
import { type AccountRoute, reads } from './route.ts'

const SHOWN = 50

/** What was imported. File names and failures are for the operator, who sees them in `status`: several organizations may share a service. */
export function importRoutes(parts: Pick<AccountParts, 'imports' | 'feeds'>): AccountRoute[] {
  return [
    reads('/account/imports', 'owner', async () => {
      const runs = await parts.imports(SHOWN)
      const data: ImportRunWire[] = runs.map((run) => ({
        id: run.id,
        format: run.format,
        started_at: isoInstant(run.startedAt),
        finished_at: isoInstantOrNull(run.finishedAt),
        state: run.state,
        figures: { ...run.figures },
      }))
      return { data }
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
