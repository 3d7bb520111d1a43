import { RISK_LEVELS, type RiskLevel } from '../contract/imei.ts'
import type { UsageRecorder } from './recorder.ts'

/** Counts of lookups stand among the other counts under a route of this form. */
const PREFIX = 'lookup:'

export const isLookupCount = (route: string) => route.startsWith(PREFIX)

export function levelOf(route: string): RiskLevel | undefined {
  return RISK_LEVELS.find((level) => route === `${PREFIX}${level}`)
}

/** Counts what lookups came to, beside the requests they came in. */
export function levelCounter(recorder: Pick<UsageRecorder, 'add'>) {
  return (by: { organizationId: string; keyId: string; now: number }, levels: readonly RiskLevel[]): void => {
    const { organizationId, keyId, now } = by
    for (const level of levels) {
      recorder.add({ organizationId, keyId, route: `${PREFIX}${level}`, status: 200 }, now, 'aside')
    }
  }
}
