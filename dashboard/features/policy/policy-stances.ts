import type { PolicyWire } from '../../../src/contract/policy.ts'
import { minorUnitsPerUnit } from '../../format.ts'

export const STANCES = ['careful', 'normal', 'bold'] as const
export type Stance = (typeof STANCES)[number]

/** What a stance decides; everything else stays as it is. */
export type StanceTerms = Pick<PolicyWire, 'target_margin_percent' | 'min_profit' | 'max_loss_probability'>

const FACTORS: Readonly<Record<Stance, Readonly<Record<keyof StanceTerms, number>>>> = {
  careful: { target_margin_percent: 1.5, min_profit: 1.6, max_loss_probability: 0.5 },
  normal: { target_margin_percent: 1, min_profit: 1, max_loss_probability: 1 },
  bold: { target_margin_percent: 2 / 3, min_profit: 0.6, max_loss_probability: 1.5 },
}

/** The terms of a stance, from the default policy: whole percents and whole units of the currency. */
export function stanceTerms(stance: Stance, defaults: PolicyWire): StanceTerms {
  const factors = FACTORS[stance]
  if (stance === 'normal') return pickTerms(defaults)
  const unit = minorUnitsPerUnit(defaults.currency)
  return {
    target_margin_percent: Math.round(defaults.target_margin_percent * factors.target_margin_percent),
    min_profit: Math.round((defaults.min_profit * factors.min_profit) / unit) * unit,
    max_loss_probability: Math.round(defaults.max_loss_probability * factors.max_loss_probability * 100) / 100,
  }
}

const pickTerms = ({ target_margin_percent, min_profit, max_loss_probability }: PolicyWire): StanceTerms => ({
  target_margin_percent,
  min_profit,
  max_loss_probability,
})

/** The stance that a policy has; null for terms of its own. */
export function stanceOf(policy: PolicyWire, defaults: PolicyWire): Stance | null {
  const terms = JSON.stringify(pickTerms(policy))
  return STANCES.find((stance) => JSON.stringify(stanceTerms(stance, defaults)) === terms) ?? null
}

/** The change that leads to a stance: the normal one removes the organization's own values. */
export const stanceChange = (stance: Stance, defaults: PolicyWire): Record<keyof StanceTerms, number | null> =>
  stance === 'normal'
    ? { target_margin_percent: null, min_profit: null, max_loss_probability: null }
    : stanceTerms(stance, defaults)
