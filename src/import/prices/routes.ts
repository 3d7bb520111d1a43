import { contributeObservations, removeObservations } from '../../contract/observations.ts'
import { type ApiRoute, route } from '../../http/context.ts'
import type { Principal } from '../../http/principal.ts'
import type { ContributionService } from './contribution-service.ts'

type RemovedObservations = { readonly observations: number; readonly restored: number; readonly devices: number }

type ObservationDependencies = {
  readonly contributions: ContributionService
  /** Deletes all observations of a source. */
  readonly removeSource: (source: string, actor: Principal['actor'], now: number) => Promise<RemovedObservations>
}

export function observationRoutes({ contributions, removeSource }: ObservationDependencies): ApiRoute[] {
  return [
    route(contributeObservations, async (c) => ({
      data: await contributions.add(c.get('principal'), c.get('body').observations, c.get('facts').now),
    })),

    route(removeObservations, async (c) => {
      const { actor } = c.get('principal')
      const { observations, restored, devices } = await removeSource(c.get('query').source, actor, c.get('facts').now)
      return { data: { observations, restored, devices } }
    }),
  ]
}
