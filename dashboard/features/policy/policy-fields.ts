import type { PolicyWire } from '../../../src/contract/policy.ts'
import { readAmountText, toAmountText } from '../../amount-text.ts'

/** The currency is in the settings of the organization. */
export type PolicyField = Exclude<keyof PolicyWire, 'currency'>
type PolicyFieldKind = 'amount' | 'percent' | 'probability' | 'points' | 'action' | 'optional_amount' | 'boolean'

/** Input kind of each policy field. */
export const POLICY_FIELDS: Readonly<
  Record<PolicyField, { readonly kind: PolicyFieldKind; readonly unit?: 'ofSalePrice' | 'points' }>
> = {
  target_margin_percent: { kind: 'percent', unit: 'ofSalePrice' },
  min_profit: { kind: 'amount' },
  max_loss_probability: { kind: 'probability' },
  offer_rounding: { kind: 'amount' },
  selling_fee_percent: { kind: 'percent', unit: 'ofSalePrice' },
  labour_per_hour: { kind: 'amount' },
  holding_cost_per_day: { kind: 'amount' },
  action_at_low_risk: { kind: 'action' },
  action_at_medium_risk: { kind: 'action' },
  action_at_high_risk: { kind: 'action' },
  action_at_critical_risk: { kind: 'action' },
  action_without_identifier: { kind: 'action' },
  min_confidence: { kind: 'points', unit: 'points' },
  clerk_offer_limit: { kind: 'optional_amount' },
  clerks_see_margins: { kind: 'boolean' },
  max_unverified_risk_points: { kind: 'points', unit: 'points' },
}

export const POLICY_GROUPS: readonly {
  readonly group: 'profit' | 'costs' | 'risk' | 'clerks'
  readonly terms: readonly PolicyField[]
}[] = [
  {
    group: 'profit',
    terms: ['target_margin_percent', 'min_profit', 'max_loss_probability', 'offer_rounding'],
  },
  { group: 'costs', terms: ['selling_fee_percent', 'labour_per_hour', 'holding_cost_per_day'] },
  {
    group: 'risk',
    terms: [
      'action_at_low_risk',
      'action_at_medium_risk',
      'action_at_high_risk',
      'action_at_critical_risk',
      'action_without_identifier',
      'max_unverified_risk_points',
      'min_confidence',
    ],
  },
  { group: 'clerks', terms: ['clerk_offer_limit', 'clerks_see_margins'] },
]

/** Input text of a field: amounts in major units, probabilities in percent. */
export function toInputText(term: PolicyField, policy: PolicyWire): string {
  const value = policy[term]
  const { kind } = POLICY_FIELDS[term]
  if (value === null) return ''
  if (kind === 'amount' || kind === 'optional_amount') return toAmountText(Number(value), policy.currency)
  return kind === 'probability' ? String(Math.round(1_000 * Number(value)) / 10) : String(value)
}

/** API value of a field. Text that is not a number is sent unchanged; the API rejects it and names the field. */
export function fromInputText(term: PolicyField, text: string, currency: string): string | number | boolean | null {
  const { kind } = POLICY_FIELDS[term]
  if (kind === 'action') return text
  if (kind === 'boolean') return text === 'true'
  if (kind === 'optional_amount' && text.trim() === '') return null
  if (kind === 'amount' || kind === 'optional_amount') return readAmountText(text, currency) ?? text
  const value = Number(text.replace(',', '.'))
  if (text.trim() === '' || Number.isNaN(value)) return text
  return kind === 'probability' ? value / 100 : value
}
