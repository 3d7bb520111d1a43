import { DEFECTS } from '../contract/defects.ts'
import { appraiseDevice, appraiseDevices, getAppraisal, listAppraisals, listDefects } from '../contract/endpoints.ts'
import { pageMeta } from '../contract/paging.ts'
import { callerContext, replayableResult } from '../http/caller-context.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { prepareResponse } from '../http/prepared-response.ts'
import { excerpt, notFound } from '../lib/errors.ts'
import { checkStoredJson } from '../records/stored-json.ts'
import type { AppraisalService } from './appraisal-service.ts'

export function appraisalRoutes(appraisals: AppraisalService): ApiRoute[] {
  const defects = prepareResponse(JSON.stringify(DEFECTS))
  return [
    route(listDefects, () => defects),
    route(appraiseDevice, async (c) => replayableResult(await appraisals.appraise(c.get('body'), callerContext(c)))),
    route(appraiseDevices, async (c) =>
      replayableResult(await appraisals.appraiseBatch(c.get('body'), callerContext(c))),
    ),
    route(listAppraisals, async (c) => {
      const { page, limit, reference, decision } = c.get('query')
      const wanted = { page, limit, reference, decision, now: c.get('facts').now }
      const { records, total } = await appraisals.history(c.get('caller').organizationId, wanted)
      // Records are stored as response JSON and sent unchanged.
      return prepareResponse(
        `[${records.map(checkStoredJson).join(',')}]`,
        JSON.stringify(pageMeta(page, limit, total)),
      )
    }),
    route(getAppraisal, async (c) => {
      const { id } = c.get('params')
      // Another organization's appraisal is NOT_FOUND, so that callers cannot probe for ids.
      const answer = await appraisals.find(c.get('caller').organizationId, id)
      if (answer === null) throw notFound(`Appraisal ${excerpt(id)}`)
      return prepareResponse(checkStoredJson(answer))
    }),
  ]
}
