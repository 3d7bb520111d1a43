import type { ImportRunWire } from '../contract/account.ts'
import { isoInstant, isoInstantOrNull } from '../time.ts'
import type { AccountParts } from './parts.ts'
import { type AccountRoute, reads } from './route.ts'

const SHOWN = 50

/** What was imported. File names and failures are for the operator, who sees them in `status`: several organizations may share a service. */
export function importRoutes(parts: Pick<AccountParts, 'imports'>): AccountRoute[] {
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
  ]
}
