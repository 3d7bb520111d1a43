import type { AppraisalWire } from '../contract/appraisal.ts'
import { OFFER_LINE_CODES } from './evaluate-plan.ts'

const CALCULATION_CODES: ReadonlySet<string> = new Set(
  OFFER_LINE_CODES.filter((code) => code !== 'negative_offer_set_to_zero'),
)

/**
 * An appraisal as clerks see it: without plans, costs, expected profit and policy. Findings stay among the reasons, without
 * amounts, because a running total would reveal the margin.
 */
export function withoutMargins<Appraisal extends Pick<AppraisalWire, 'plans' | 'rejected_plans' | 'policy' | 'offer'>>(
  appraisal: Appraisal,
) {
  const { plans: _plans, rejected_plans: _rejected, policy: _policy, offer, ...rest } = appraisal
  const reasons = offer.reasons.filter(({ code }) => !CALCULATION_CODES.has(code))
  return { ...rest, offer: { ...offer, reasons: reasons.map(({ code, message }) => ({ code, message })) } }
}
