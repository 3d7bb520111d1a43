import { type LookupResultWire, RISK_LEVELS, type RiskLevel } from '../contract/lookups.ts'
import { RISK_ACTIONS, type RiskAction } from '../contract/policy.ts'
import type { BuyingPolicy } from './policy.ts'

export type OfferFinding = {
  readonly code: string
  readonly message: string
  readonly action: RiskAction
  /** No offer is named before it is settled. */
  readonly withholdsOffer?: boolean
}

/** Points for what nobody could check, as opposed to what somebody found. */
const UNVERIFIED_FACTORS: ReadonlySet<string> = new Set([
  'blacklist_unverified',
  'tac_not_listed',
  'tac_unknown',
  'source_unavailable',
  'pseudo_esn',
])

/** A listed device is never bought, whatever the policy says. */
export function isBlacklisted(lookup: LookupResultWire): boolean {
  return (
    lookup.blacklist_status === 'blacklisted' ||
    lookup.gsma_status === 'blacklisted' ||
    lookup.ctia_status === 'lost_stolen' ||
    lookup.reported_lost_stolen
  )
}

/** What the identifier says against buying, and what the policy does about it. */
export function riskFindings(lookup: LookupResultWire | null, policy: BuyingPolicy): OfferFinding[] {
  if (lookup === null) {
    const message = 'The offer holds only if the identifier, which was not given, turns out to be clean.'
    return [{ code: 'identifier_not_checked', message, action: policy.actionWithoutIdentifier }]
  }
  if (isBlacklisted(lookup)) {
    return [{ code: 'listed', message: 'The identifier is listed as lost, stolen or barred.', action: 'reject' }]
  }
  if (lookup.recommendation === 'recheck_identifier') {
    // What else was found may be about another device.
    const message = 'The identifier is probably mistyped: read it again before anything is offered.'
    return [{ code: 'recheck_identifier', message, action: 'inspect', withholdsOffer: true }]
  }
  const findings: OfferFinding[] = []
  const { risk_level: level, risk_score: score } = lookup
  const byLevel = actionAtLevel(level, policy)
  if (byLevel !== 'offer') {
    findings.push({ code: `risk_${level}`, message: `The risk is ${level} (${score} of 100).`, action: byLevel })
  }
  if (lookup.blacklist_status === 'pending') {
    findings.push({ code: 'report_pending', message: 'A report about the identifier is pending.', action: 'inspect' })
  }
  const unknown = lookup.risk_factors
    .filter(({ code }) => UNVERIFIED_FACTORS.has(code))
    .reduce((sum, { points }) => sum + points, 0)
  if (unknown > policy.maxUnverifiedRiskPoints) {
    const message = `${unknown} points of the risk come from what nobody could check; the policy allows ${policy.maxUnverifiedRiskPoints}.`
    findings.push({ code: 'too_much_unknown', message, action: 'inspect' })
  }
  return findings
}

/** A higher level is never treated more mildly than a lower one. */
function actionAtLevel(level: RiskLevel, { actionAtRisk: atRisk }: BuyingPolicy): RiskAction {
  return strictestAction(RISK_LEVELS.slice(0, RISK_LEVELS.indexOf(level) + 1).map((each) => ({ action: atRisk[each] })))
}

export function strictestAction(findings: readonly Pick<OfferFinding, 'action'>[]): RiskAction {
  return findings.reduce<RiskAction>(
    (worst, { action }) => (RISK_ACTIONS.indexOf(action) > RISK_ACTIONS.indexOf(worst) ? action : worst),
    'offer',
  )
}
