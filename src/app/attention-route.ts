import type { AuthStore } from '../auth/auth-store.ts'
import { listAttention } from '../contract/management-organization.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { can } from '../http/principal.ts'
import type { FeedOverview } from '../import/feeds/feed-schedule.ts'
import type { ImportRun } from '../import/import-run-store.ts'
import type { ImportedList } from '../risk/sources/imported-lists-source.ts'
import type { SourceOutage } from '../risk/sources/source-health.ts'
import { listAttentionItems } from './attention.ts'

export type AttentionDependencies = {
  readonly auth: Pick<AuthStore, 'keys'>
  /** The newest imports that the organization may see, newest first. */
  readonly newestImports: (visibleTo: string) => Promise<readonly ImportRun[]>
  readonly feeds: () => Promise<readonly FeedOverview[]>
  readonly lists: () => Promise<readonly ImportedList[]>
  /** Outside sources that do not respond. */
  readonly sourcesDown: () => readonly SourceOutage[]
  /** Whether deletion by age is suspended because the clock jumped. */
  readonly isClockSuspect: () => boolean
}

export const attentionRoute = (dependencies: AttentionDependencies): ApiRoute =>
  route(listAttention, async (c) => {
    const principal = c.get('principal')
    const { organizationId } = principal
    // Imports belong to the service, not to one organization.
    const seesImports = can(principal, 'imports:read')
    const [keys, runs, feeds, lists] = await Promise.all([
      dependencies.auth.keys(organizationId),
      seesImports ? dependencies.newestImports(organizationId) : [],
      seesImports ? dependencies.feeds() : [],
      seesImports ? dependencies.lists() : [],
    ])
    const sources = seesImports ? dependencies.sourcesDown() : []
    const isClockSuspect = seesImports && dependencies.isClockSuspect()
    return { data: listAttentionItems({ keys, runs, feeds, lists, sources, isClockSuspect }, c.get('facts').now) }
  })
