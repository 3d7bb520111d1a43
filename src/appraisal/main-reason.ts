import type { AppraisalWire } from '../contract/appraisal.ts'
import { UNVERIFIED_FACTORS } from './risk-findings.ts'

/** The reason that decides an appraisal, as one word per group; lists are filtered by it. */
export const MAIN_REASONS = {
  blacklisted: 'Reported lost, stolen or blocked',
  recheck_identifier: 'Check the number',
  in_your_stock: 'Already in your stock',
  identifier_of_other_model: 'IMEI belongs to another model',
  configuration_not_made: 'Configuration was never made',
  conflicting_input: 'Fields contradict each other',
  fault_to_confirm: 'Fault to confirm',
  unread_words: 'Text says more than was read',
  activation_locked: 'Activation lock',
  device_not_identified: 'Device not identified',
  price_unavailable: 'No price available',
  report_pending: 'Report pending',
  risk_found: 'Risk found',
  source_unavailable: 'Source did not respond',
  not_checked: 'Not checked',
  no_offer_left: 'Costs exceed the sale price',
  grade_missing: 'No grade given',
  cheapest_variant_assumed: 'Configuration open',
} as const
export type MainReason = keyof typeof MAIN_REASONS

type Appraised = Pick<AppraisalWire, 'offer' | 'identity' | 'risk'>

const CONTRADICTIONS: Readonly<Record<string, MainReason>> = {
  identifier_device_mismatch: 'identifier_of_other_model',
  attribute_not_available: 'configuration_not_made',
}
/** Reason codes of an offer, most important first. */
const BY_CODE: readonly (readonly [string, MainReason])[] = [
  ['blacklisted', 'blacklisted'],
  ['recheck_identifier', 'recheck_identifier'],
  ['in_your_stock', 'in_your_stock'],
  ['conflicting_input', 'conflicting_input'],
  ['fault_to_confirm', 'fault_to_confirm'],
  ['unread_words', 'unread_words'],
  ['activation_locked', 'activation_locked'],
  ['device_not_identified', 'device_not_identified'],
  ['price_unavailable', 'price_unavailable'],
  ['report_pending', 'report_pending'],
  ['risk_critical', 'risk_found'],
  ['risk_high', 'risk_found'],
  ['risk_medium', 'risk_found'],
  ['unverified_risk_too_high', 'risk_found'],
  ['identifier_check_required', 'not_checked'],
  ['negative_offer_set_to_zero', 'no_offer_left'],
  ['condition_missing', 'grade_missing'],
  ['cheapest_variant_assumed', 'cheapest_variant_assumed'],
]

/** The part of the appraisal that explains a reason; its message is English. */
type ReasonDetail = {
  readonly from: 'offer' | 'contradiction' | 'risk'
  readonly code: string
  readonly message: string
  readonly parameters?: AppraisalWire['offer']['reasons'][number]['parameters']
}
export type ExplainedReason = { readonly code: MainReason; readonly detail: ReasonDetail }

/** Null if nothing prevents the offer. */
export function mainReason({ offer, identity, risk }: Appraised): ExplainedReason | null {
  for (const [code, group] of BY_CODE) {
    const reason = offer.reasons.find((candidate) => candidate.code === code)
    if (!reason) continue
    const [contradiction] = identity.contradictions
    if (group === 'conflicting_input' && contradiction)
      return { code: CONTRADICTIONS[contradiction.code] ?? group, detail: toDetail('contradiction', contradiction) }
    if (group === 'risk_found' && risk) return riskReason(risk, toDetail('offer', reason))
    return { code: group, detail: toDetail('offer', reason) }
  }
  return null
}

const toDetail = (
  from: ReasonDetail['from'],
  { code, message, parameters }: Omit<ReasonDetail, 'from'>,
): ReasonDetail => ({ from, code, message, ...(parameters && { parameters }) })

/** A score that only comes from checks that could not be made is not a finding. */
function riskReason({ risk_factors: factors }: NonNullable<Appraised['risk']>, ofOffer: ReasonDetail): ExplainedReason {
  const finding = factors.find(({ code, points }) => points > 0 && code !== 'baseline' && !UNVERIFIED_FACTORS.has(code))
  if (finding) return { code: 'risk_found', detail: toDetail('risk', finding) }
  const unavailable = factors.find(({ code }) => code === 'source_unavailable')
  return unavailable
    ? { code: 'source_unavailable', detail: toDetail('risk', unavailable) }
    : { code: 'not_checked', detail: ofOffer }
}
