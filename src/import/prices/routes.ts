import { contributeObservations } from '../../contract/observations.ts'
import { type ApiRoute, route } from '../../http/context.ts'
import type { ContributionService } from './contribution-service.ts'

export function observationRoutes(contributions: ContributionService): ApiRoute[] {
  return [
    route(contributeObservations, async (c) => ({
      data: await contributions.add(c.get('principal'), c.get('body').observations, c.get('facts').now),
    })),
  ]
}
