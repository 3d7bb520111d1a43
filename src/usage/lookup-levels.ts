import { RISK_LEVELS, type RiskLevel } from '../contract/imei.ts'
import type { Answer, ApiRoute } from '../http/route.ts'
import type { UsageRecorder } from './recorder.ts'

/** Counts of lookups stand among the other counts under a route of this form. */
const PREFIX = 'lookup:'
const LEVEL = /"risk_level":"([a-z]+)"/g

export const isLookupCount = (route: string) => route.startsWith(PREFIX)

export function levelOf(route: string): RiskLevel | undefined {
  return RISK_LEVELS.find((level) => route === `${PREFIX}${level}`)
}

/** The same route, which also counts what its lookups came to. A repeated answer of an earlier lookup is not a lookup. */
export function countingLevels(route: ApiRoute, recorder: Pick<UsageRecorder, 'add'>): ApiRoute {
  if (route.method !== 'POST' || !route.path.startsWith('/api/imei')) return route
  return {
    ...route,
    async handle(call) {
      const answer = await route.handle(call)
      const { organizationId, keyId } = call.caller
      for (const level of levelsIn(answer)) {
        recorder.add({ organizationId, keyId, route: `${PREFIX}${level}`, status: 200 }, call.now, 'aside')
      }
      return answer
    },
  }
}

function levelsIn(answer: Answer): string[] {
  if (!('kind' in answer) && answer.headers?.['Idempotency-Replayed']) return []
  const text = 'kind' in answer ? new TextDecoder().decode(answer.head) : JSON.stringify(answer.data)
  return [...text.matchAll(LEVEL)].map(([, level]) => level ?? '')
}
