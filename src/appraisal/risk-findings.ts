import { type LookupResultWire, RISK_LEVELS, type RiskLevel } from '../contract/lookups.ts'
import { RISK_ACTIONS, type RiskAction } from '../contract/policy.ts'
import type { BuyingPolicy } from './policy.ts'

/** Values that the message of a reason names, for texts in other languages. */
export type ReasonParameters = Readonly<Record<string, string | number>>

export type OfferFinding = {
  readonly code: string
  readonly message: string
  readonly parameters?: ReasonParameters
  readonly action: RiskAction
  /** No offer is made until this is resolved. */
  readonly withholdsOffer?: boolean
}

/** Factors for checks that could not be made, as opposed to findings. */
export const UNVERIFIED_FACTORS: ReadonlySet<string> = new Set([
  'blacklist_unverified',
  'tac_not_listed',
  'tac_unknown',
  'source_unavailable',
  'pseudo_esn',
])

/** A blacklisted device is always rejected, whatever the policy says. */
export function isBlacklisted(lookup: LookupResultWire): boolean {
  return (
    lookup.blacklist_status === 'blacklisted' ||
    lookup.gsma_status === 'blacklisted' ||
    lookup.ctia_status === 'lost_stolen' ||
    lookup.reported_lost_stolen
  )
}

/** Findings from the identifier lookup, each with the action the policy requires. */
export function riskFindings(lookup: LookupResultWire | null, policy: BuyingPolicy): OfferFinding[] {
  if (lookup === null) {
    const message = 'IMEI not checked: the offer assumes that the device is not blocked.'
    return [{ code: 'identifier_not_checked', message, action: policy.action_without_identifier }]
  }
  if (isBlacklisted(lookup)) {
    return [{ code: 'blacklisted', message: 'The IMEI is reported lost, stolen or blocked.', action: 'reject' }]
  }
  if (lookup.recommendation === 'recheck_identifier') {
    // Other findings may be about a different device.
    const message = 'The IMEI is probably mistyped. Check it before making an offer.'
    return [{ code: 'recheck_identifier', message, action: 'inspect', withholdsOffer: true }]
  }
  const findings: OfferFinding[] = []
  const { risk_level: level, risk_score: score } = lookup
  const actionForLevel = actionAtLevel(level, policy)
  if (actionForLevel !== 'offer') {
    const message = `Risk is ${level} (${score} of 100).`
    findings.push({ code: `risk_${level}`, message, parameters: { score }, action: actionForLevel })
  }
  if (lookup.blacklist_status === 'pending') {
    findings.push({ code: 'report_pending', message: 'A report about the IMEI is pending.', action: 'inspect' })
  }
  const unverifiedPoints = lookup.risk_factors
    .filter(({ code }) => UNVERIFIED_FACTORS.has(code))
    .reduce((sum, { points }) => sum + points, 0)
  if (unverifiedPoints > policy.max_unverified_risk_points) {
    const maximum = policy.max_unverified_risk_points
    const message = `${unverifiedPoints} risk points come from checks that could not be made; your policy allows ${maximum}.`
    const parameters = { points: unverifiedPoints, maximum }
    findings.push({ code: 'unverified_risk_too_high', message, parameters, action: 'inspect' })
  }
  return findings
}

/** The strictest action up to this level: a higher risk is never treated more leniently than a lower one. */
function actionAtLevel(level: RiskLevel, policy: BuyingPolicy): RiskAction {
  const levels = RISK_LEVELS.slice(0, RISK_LEVELS.indexOf(level) + 1)
  return strictestAction(levels.map((lowerLevel) => ({ action: policy[`action_at_${lowerLevel}_risk`] })))
}

export function strictestAction(findings: readonly Pick<OfferFinding, 'action'>[]): RiskAction {
  return findings.reduce<RiskAction>(
    (worst, { action }) => (RISK_ACTIONS.indexOf(action) > RISK_ACTIONS.indexOf(worst) ? action : worst),
    'offer',
  )
}
