import { type LookupResultWire, RISK_LEVELS, type RiskLevel, riskLevelOf } from '../contract/lookups.ts'
import { RISK_ACTIONS, type RiskAction } from '../contract/policy.ts'
import { totalScore } from '../risk/risk-score.ts'
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

/** Of them, those of a check for which no source is connected. */
const WITHOUT_SOURCE: ReadonlySet<string> = new Set(['blacklist_unverified', 'tac_not_listed'])

/**
 * Factors that count for the decision: an identifier that no connected source covers says as little about the device as none.
 * While a connected source is unavailable, what it would have said counts as open.
 */
function decisiveFactors({ risk_factors: factors }: LookupResultWire): LookupResultWire['risk_factors'] {
  const isUnavailable = factors.some(({ code }) => code === 'source_unavailable')
  return isUnavailable ? factors : factors.filter(({ code }) => !WITHOUT_SOURCE.has(code))
}

const NOT_CHECKED: OfferFinding = {
  code: 'blacklist_not_checked',
  message: 'Not checked against lists of stolen devices: no connected source covers the IMEI.',
  action: 'offer',
}
/** For policies that ask for an identifier. It is there, so this is never worse than none. */
const CHECK_REQUIRED: OfferFinding = {
  code: 'identifier_check_required',
  message: 'Your policy asks for a checked IMEI, and no connected source covers it.',
  action: 'inspect',
}

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
  const factors = decisiveFactors(lookup)
  const score = totalScore(factors)
  const level = riskLevelOf(score)
  if (lookup.blacklist_status === 'unknown' && !factors.some(({ code }) => code === 'source_unavailable')) {
    findings.push(policy.action_without_identifier === 'offer' ? NOT_CHECKED : CHECK_REQUIRED)
  }
  const actionForLevel = actionAtLevel(level, policy)
  if (actionForLevel !== 'offer') {
    const message = `Risk is ${level} (${score} of 100).`
    findings.push({ code: `risk_${level}`, message, parameters: { score }, action: actionForLevel })
  }
  if (lookup.blacklist_status === 'pending') {
    findings.push({ code: 'report_pending', message: 'A report about the IMEI is pending.', action: 'inspect' })
  }
  const unverifiedPoints = factors
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
