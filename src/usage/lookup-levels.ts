import { RISK_LEVELS, type RiskLevel } from '../contract/lookups.ts'
import type { UsageRecorder } from './usage-recorder-service.ts'

/** Risk levels of lookups are counted under a route of this form. */
const LOOKUP_PREFIX = 'lookup:'

export const isLookupCount = (route: string) => route.startsWith(LOOKUP_PREFIX)

export function riskLevelOfRoute(route: string): RiskLevel | undefined {
  return RISK_LEVELS.find((level) => route === `${LOOKUP_PREFIX}${level}`)
}

/** Counts lookups by risk level. */
export function lookupLevelCounter(recorder: Pick<UsageRecorder, 'add'>) {
  return (caller: { organizationId: string; keyId: string; now: number }, levels: readonly RiskLevel[]): void => {
    const { organizationId, keyId, now } = caller
    for (const level of levels) {
      recorder.add({ organizationId, keyId, route: `${LOOKUP_PREFIX}${level}`, status: 200 }, now, 'not_a_request')
    }
  }
}
