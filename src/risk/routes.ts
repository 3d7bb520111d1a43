import { assessIdentifier, assessIdentifiers, listLookups } from '../contract/lookup-endpoints.ts'
import { callerContext, replayableResult } from '../http/caller-context.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { prepareResponse } from '../http/prepared-response.ts'
import type { LookupService } from './lookup-service.ts'

export function riskRoutes(lookups: LookupService): ApiRoute[] {
  return [
    route(assessIdentifier, async (c) => replayableResult(await lookups.assess(c.get('body'), callerContext(c)))),
    route(assessIdentifiers, async (c) => replayableResult(await lookups.assessBatch(c.get('body'), callerContext(c)))),
    route(listLookups, async (c) => {
      const { records, meta } = await lookups.listHistory(c.get('principal').organizationId, c.get('query'))
      // Records are stored as response JSON and sent unchanged.
      return prepareResponse(`[${records.join(',')}]`, JSON.stringify(meta))
    }),
  ]
}
