import { assessIdentifier, assessIdentifiers, listLookups } from '../contract/endpoints.ts'
import { pageMeta } from '../contract/paging.ts'
import { callerContext, replayableResult } from '../http/caller-context.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { prepareResponse } from '../http/prepared-response.ts'
import { checkStoredJson } from '../records/stored-json.ts'
import type { LookupService } from './lookup-service.ts'

export function riskRoutes(lookups: LookupService): ApiRoute[] {
  return [
    route(assessIdentifier, async (c) => replayableResult(await lookups.assess(c.get('body'), callerContext(c)))),
    route(assessIdentifiers, async (c) => replayableResult(await lookups.assessBatch(c.get('body'), callerContext(c)))),
    route(listLookups, async (c) => {
      const { page, limit, identifier } = c.get('query')
      const wanted = { page, limit, identifier, now: c.get('facts').now }
      const { records, total } = await lookups.listHistory(c.get('caller').organizationId, wanted)
      // Stored records are sent as they are.
      return prepareResponse(
        `[${records.map(checkStoredJson).join(',')}]`,
        JSON.stringify(pageMeta(page, limit, total)),
      )
    }),
  ]
}
