import { DEFECTS } from '../contract/defects.ts'
import { appraiseDevice, appraiseDevices, getAppraisal, listAppraisals, listDefects } from '../contract/endpoints.ts'
import { pageMeta } from '../contract/paging.ts'
import { soundAnswer } from '../durable/kept-answer.ts'
import { excerpt, notFound } from '../errors.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { readyAnswer } from '../http/ready.ts'
import { askingOf, replayableAnswer } from '../http/replayable.ts'
import type { Appraisals } from './appraisals.ts'

export function appraisalRoutes(appraisals: Appraisals): ApiRoute[] {
  const defects = readyAnswer(JSON.stringify(DEFECTS))
  return [
    route(listDefects, () => defects),
    route(appraiseDevice, async (c) => replayableAnswer(await appraisals.one(c.get('body'), askingOf(c)))),
    route(appraiseDevices, async (c) => replayableAnswer(await appraisals.batch(c.get('body'), askingOf(c)))),
    route(listAppraisals, async (c) => {
      const { page, limit, reference, decision } = c.get('query')
      const wanted = { page, limit, reference, decision, now: c.get('facts').now }
      const { answers, total } = await appraisals.history(c.get('caller').organizationId, wanted)
      // The records are JSON already: they go out as they were written.
      return readyAnswer(`[${answers.map(soundAnswer).join(',')}]`, JSON.stringify(pageMeta(page, limit, total)))
    }),
    route(getAppraisal, async (c) => {
      const { id } = c.get('params')
      // Another organization's appraisal is not found either: that it exists is none of the caller's business.
      const answer = await appraisals.find(c.get('caller').organizationId, id)
      if (answer === null) throw notFound(`Appraisal ${excerpt(id)}`)
      return readyAnswer(soundAnswer(answer))
    }),
  ]
}
