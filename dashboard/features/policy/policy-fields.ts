import type { PolicyWire } from '../../../src/contract/policy.ts'
import { minorUnitsPerUnit } from '../../format.ts'

/** The currency is in the settings of the organization. */
export type PolicyField = Exclude<keyof PolicyWire, 'currency'>
type PolicyFieldKind = 'amount' | 'percent' | 'probability' | 'points' | 'action' | 'optional_amount' | 'boolean'

/** Label and input kind of each policy field. */
export const POLICY_FIELDS: Readonly<
  Record<PolicyField, { readonly label: string; readonly kind: PolicyFieldKind; readonly unit?: string }>
> = {
  target_margin_percent: { label: 'Target margin', kind: 'percent', unit: '% of the sale price' },
  min_profit: { label: 'Minimum profit', kind: 'amount' },
  max_loss_probability: { label: 'Maximum chance of a loss', kind: 'probability', unit: '%' },
  offer_rounding: { label: 'Round offers to', kind: 'amount' },
  selling_fee_percent: { label: 'Selling fee', kind: 'percent', unit: '% of the sale price' },
  labour_per_hour: { label: 'Labour per hour', kind: 'amount' },
  holding_cost_per_day: { label: 'Holding cost per day', kind: 'amount' },
  action_at_low_risk: { label: 'Low risk', kind: 'action' },
  action_at_medium_risk: { label: 'Medium risk', kind: 'action' },
  action_at_high_risk: { label: 'High risk', kind: 'action' },
  action_at_critical_risk: { label: 'Critical risk', kind: 'action' },
  action_without_identifier: { label: 'No identifier', kind: 'action' },
  min_confidence: { label: 'Minimum price confidence', kind: 'points', unit: 'points of 100' },
  clerk_offer_limit: { label: 'Clerks may offer up to', kind: 'optional_amount' },
  clerks_see_margins: { label: 'Clerks may see margins', kind: 'boolean' },
  max_unverified_risk_points: { label: 'Maximum unverified risk', kind: 'points', unit: 'points of 100' },
}

export const POLICY_GROUPS: readonly { readonly title: string; readonly terms: readonly PolicyField[] }[] = [
  {
    title: 'Profit',
    terms: ['target_margin_percent', 'min_profit', 'max_loss_probability', 'offer_rounding'],
  },
  { title: 'Costs', terms: ['selling_fee_percent', 'labour_per_hour', 'holding_cost_per_day'] },
  {
    title: 'Risk',
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
  { title: 'Clerks', terms: ['clerk_offer_limit', 'clerks_see_margins'] },
]

/** Input text of a field: amounts in major units, probabilities in percent. */
export function toInputText(term: PolicyField, policy: PolicyWire): string {
  const value = policy[term]
  const { kind } = POLICY_FIELDS[term]
  if (value === null) return ''
  if (kind === 'amount' || kind === 'optional_amount') return String(Number(value) / minorUnitsPerUnit(policy.currency))
  return kind === 'probability' ? String(Math.round(1_000 * Number(value)) / 10) : String(value)
}

/** API value of a field. Text that is not a number is sent unchanged; the API rejects it and names the field. */
export function fromInputText(term: PolicyField, text: string, currency: string): string | number | boolean | null {
  const { kind } = POLICY_FIELDS[term]
  if (kind === 'action') return text
  if (kind === 'boolean') return text === 'true'
  if (kind === 'optional_amount' && text.trim() === '') return null
  const value = Number(text.replace(',', '.'))
  if (text.trim() === '' || Number.isNaN(value)) return text
  if (kind === 'amount' || kind === 'optional_amount') return Math.round(value * minorUnitsPerUnit(currency))
  return kind === 'probability' ? value / 100 : value
}
