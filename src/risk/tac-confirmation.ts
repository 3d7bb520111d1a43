import type { Identifier } from '../identifier/identifier.ts'
import { isCheckDigitValid } from '../identifier/identifier.ts'
import { isNeverAllocated, isSampleImei, splitImei } from '../identifier/imei.ts'
import { isTestTac } from '../identifier/reporting-body.ts'
import type { DeviceMatch, TacEntry } from './device-match.ts'

/** The organization of confirmations that the operator made for all. */
export const OPERATOR = ''
/** Number of independent organizations that must agree on a model before it counts for all. */
const MIN_ORGANIZATIONS = 2
/** Number of own devices that must agree: one may be mixed up. */
const MIN_OWN_UNITS = 2
/** Further units of one model add no evidence. */
export const MAX_UNITS_PER_MODEL = 20
/** Maximum rows of one organization. */
export const MAX_CONFIRMATIONS = 20_000

/** Confirmations of one model of a TAC by one organization. */
export type TacConfirmation = {
  readonly organizationId: string
  /** Organizations with a person in common share it and count as one. */
  readonly independentGroup: string
  readonly deviceId: string
  readonly make: string
  readonly name: string
  readonly units: number
}

/** Confidence in percent by the number of units or organizations that agree. */
const CONFIDENCE_BY_COUNT = [0, 80, 90, 95]
const confidenceFor = (count: number) => CONFIDENCE_BY_COUNT[Math.min(count, 3)] ?? 0

/** The TAC of an IMEI from which a model may be learned, or null. */
export function learnableTac(identifier: Identifier): string | null {
  if (identifier.type !== 'imei' || !isCheckDigitValid(identifier)) return null
  if (isTestTac(identifier.key) || isNeverAllocated(identifier.key) || isSampleImei(identifier)) return null
  return splitImei(identifier.key).tac
}

/** Another model with this confidence contradicts the stated one: nothing is learned. */
const MIN_CONTRADICTING_CONFIDENCE = 80

export function isContradicted({ deviceId: matchedId, confidence }: DeviceMatch, statedDeviceId: string): boolean {
  return matchedId !== null && matchedId !== statedDeviceId && confidence >= MIN_CONTRADICTING_CONFIDENCE
}

export type ConfirmedModel = {
  readonly entry: TacEntry
  /** Who confirmed it and how often, as a sentence. */
  readonly evidence: string
}

/** Models that count for the organization: its own, the operator's, and those that two independent organizations agree on. */
export function confirmedModels(
  tac: string,
  confirmations: readonly TacConfirmation[],
  organizationId: string | undefined,
): ConfirmedModel[] {
  return [...Map.groupBy(confirmations, ({ deviceId }) => deviceId)].flatMap(([deviceId, rows]) => {
    const [first] = rows
    if (!first) return []
    const ownUnits = rows.find((row) => row.organizationId === organizationId)?.units ?? 0
    const byOrganizations = rows.filter((row) => row.organizationId !== OPERATOR)
    const organizations = new Set(byOrganizations.map(({ independentGroup }) => independentGroup)).size
    const isByOperator = rows.some((row) => row.organizationId === OPERATOR)
    const isCommon = isByOperator || organizations >= MIN_ORGANIZATIONS
    if (ownUnits < MIN_OWN_UNITS && !isCommon) return []
    const byOthers = isByOperator ? 2 : isCommon ? organizations - 1 : 0
    const confidence = Math.max(confidenceFor(ownUnits), confidenceFor(byOthers))
    const confirmedBy = [
      ownUnits > 0 ? `your organization (${ownUnits} ${ownUnits === 1 ? 'device' : 'devices'})` : '',
      isByOperator ? 'the operator' : '',
      isCommon && organizations >= MIN_ORGANIZATIONS ? `${organizations} organizations` : '',
    ].filter(Boolean)
    return {
      entry: {
        tac,
        deviceId,
        deviceName: first.name,
        make: first.make,
        model: first.name,
        source: 'confirmed',
        confidence,
      },
      evidence: `TAC ${tac} confirmed as ${first.name} by ${confirmedBy.join(', ')}.`,
    }
  })
}
