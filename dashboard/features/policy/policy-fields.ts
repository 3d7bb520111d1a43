import type { PolicyWire } from '../../../src/contract/policy.ts'
import { minorUnitsPerUnit } from '../../format.ts'

export type PolicyField = keyof PolicyWire
type PolicyFieldKind = 'amount' | 'percent' | 'probability' | 'points' | 'action' | 'currency'

/** What each term is called on the page, and how it is typed. */
export const POLICY_FIELDS: Readonly<
  Record<PolicyField, { readonly label: string; readonly kind: PolicyFieldKind; readonly unit?: string }>
> = {
  currency: { label: 'Currency', kind: 'currency' },
  target_margin_percent: { label: 'Margin', kind: 'percent', unit: '% of the price' },
  min_profit: { label: 'Least profit', kind: 'amount' },
  max_loss_probability: { label: 'Deals that may lose money', kind: 'probability', unit: 'of 100' },
  offer_rounding: { label: 'Offers are rounded to', kind: 'amount' },
  selling_fee_percent: { label: 'Cost of selling', kind: 'percent', unit: '% of the price' },
  labour_per_hour: { label: 'An hour of work', kind: 'amount' },
  holding_cost_per_day: { label: 'A day on the shelf', kind: 'amount' },
  action_at_low_risk: { label: 'At low risk', kind: 'action' },
  action_at_medium_risk: { label: 'At medium risk', kind: 'action' },
  action_at_high_risk: { label: 'At high risk', kind: 'action' },
  action_at_critical_risk: { label: 'At critical risk', kind: 'action' },
  action_without_identifier: { label: 'Without an identifier', kind: 'action' },
  max_unverified_risk_points: { label: 'Unknown that is put up with', kind: 'points', unit: 'points of 100' },
}

export const POLICY_GROUPS: readonly { readonly title: string; readonly terms: readonly PolicyField[] }[] = [
  {
    title: 'What a deal must earn',
    terms: ['target_margin_percent', 'min_profit', 'max_loss_probability', 'offer_rounding', 'currency'],
  },
  { title: 'What it costs', terms: ['selling_fee_percent', 'labour_per_hour', 'holding_cost_per_day'] },
  {
    title: 'What to do at which risk',
    terms: [
      'action_at_low_risk',
      'action_at_medium_risk',
      'action_at_high_risk',
      'action_at_critical_risk',
      'action_without_identifier',
      'max_unverified_risk_points',
    ],
  },
]

/** As people type it: amounts in whole units, a probability as so many of a hundred. */
export function toInputText(term: PolicyField, policy: PolicyWire): string {
  const value = policy[term]
  const { kind } = POLICY_FIELDS[term]
  if (kind === 'amount') return String(Number(value) / minorUnitsPerUnit(policy.currency))
  return kind === 'probability' ? String(Math.round(1_000 * Number(value)) / 10) : String(value)
}

/** As the service takes it. Whatever is no number is sent as it stands, and refused with its field. */
export function fromInputText(term: PolicyField, text: string, currency: string): string | number {
  const { kind } = POLICY_FIELDS[term]
  if (kind === 'action' || kind === 'currency') return text
  const value = Number(text)
  if (text.trim() === '' || Number.isNaN(value)) return text
  if (kind === 'amount') return Math.round(value * minorUnitsPerUnit(currency))
  return kind === 'probability' ? value / 100 : value
}
