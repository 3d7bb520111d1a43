/** What clerks see of an appraisal where the organization hides margins from them. */
import type { AppraisalWire } from '../contract/appraisal.ts'
import { OFFER_LINE_CODES } from './evaluate-plan.ts'

const CALCULATION_CODES: ReadonlySet<string> = new Set(
  OFFER_LINE_CODES.filter((code) => code !== 'negative_offer_set_to_zero'),
)

type Offer = Pick<AppraisalWire, 'plans' | 'rejected_plans' | 'policy' | 'offer' | 'value' | 'repairs'>
/** A preview has the prices and offers of all grades. */
type OfferOfGrade = AppraisalWire['value'][number] & Pick<AppraisalWire['offer'], 'max_offer'>

/**
 * Without plans, costs, expected profit and policy, and without the resale price and the maximum, between which the margin
 * lies. Findings stay among the reasons, without amounts, because a running total would reveal it too.
 */
export function withoutMargins<Appraisal extends Offer & { readonly grades?: readonly OfferOfGrade[] }>(
  appraisal: Appraisal,
) {
  const {
    plans: _plans,
    rejected_plans: _rejected,
    policy: _policy,
    offer,
    value,
    repairs,
    grades,
    ...rest
  } = appraisal
  const reasons = offer.reasons.filter(({ code }) => !CALCULATION_CODES.has(code))
  return {
    ...rest,
    ...(grades && { grades: grades.map((grade) => ({ ...grade, resale: null, max_offer: null })) }),
    value: value.map((prices) => ({ ...prices, resale: null })),
    repairs: repairs.map((repair) => ({ ...repair, value_added: null, return_on_cost: null })),
    offer: {
      ...offer,
      max_offer: null,
      by_condition: offer.by_condition.map((grade) => ({ ...grade, max_offer: null })),
      reasons: reasons.map(withoutAmount),
    },
  }
}

const withoutAmount = ({ code, message, parameters }: AppraisalWire['offer']['reasons'][number]) => ({
  code,
  message,
  ...(parameters && { parameters }),
})
