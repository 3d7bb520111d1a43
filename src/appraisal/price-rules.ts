import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'
import type { PriceRulesWire, PriceRuleWire } from '../contract/price-rules.ts'
import { formatAmount } from '../currency/format-amount.ts'
import { floorTo } from './evaluate-plan.ts'
import type { ReasonParameters } from './risk-findings.ts'

/** Rules of an organization, with the same fields in the database, in calculations and in responses. */
export type PriceRules = PriceRulesWire

/** A rule that holds for the device on this day; `maxOffer` is in the currency of the appraisal. */
export type AppliedRule = Pick<PriceRuleWire, 'conditions' | 'percent' | 'note'> & { readonly maxOffer: number | null }

/** A line of the calculation. */
export type RuleStep = {
  readonly code: string
  readonly message: string
  readonly parameters?: ReasonParameters
  readonly amount: number
}

/** The rules that hold for a device on a day; `convert` converts their limits to the currency of the appraisal. */
export function rulesFor(
  { rules }: PriceRules,
  deviceId: string | null,
  day: string,
  convert: (amount: number) => number,
): AppliedRule[] {
  return rules
    .filter(({ device_ids: ids }) => ids.length === 0 || (deviceId !== null && ids.includes(deviceId)))
    .filter(({ from, until }) => (from === null || from <= day) && (until === null || day <= until))
    .map(({ conditions, percent, note, max_offer: maxOffer }) => ({
      conditions,
      percent,
      note,
      maxOffer: maxOffer === null ? null : Math.round(convert(maxOffer)),
    }))
}

type RuledOffer = {
  readonly maxOffer: number
  /** Factor of all changes in percent, which the market trade-in price is multiplied by as well. */
  readonly factor: number
  readonly steps: readonly RuleStep[]
}

/** Applies the rules of a grade to an offer: changes in percent in their order, then the lowest limit. */
export function applyRules(
  rules: readonly AppliedRule[],
  condition: Condition,
  offer: number,
  { rounding, currency }: { readonly rounding: number; readonly currency: string },
): RuledOffer {
  const steps: RuleStep[] = []
  const applicable = rules.filter(({ conditions }) => conditions.length === 0 || conditions.includes(condition))
  let maxOffer = offer
  let factor = 1
  const moveTo = (amount: number, { note }: AppliedRule, text: string, change: ReasonParameters) => {
    if (amount === maxOffer) return
    const message = `Price rule${note ? ` "${note}"` : ''}: ${text}`
    const parameters = { ...(note && { note }), ...change }
    steps.push({ code: 'price_rule', message, parameters, amount: amount - maxOffer })
    maxOffer = amount
  }
  for (const rule of applicable) {
    if (rule.percent === null) continue
    factor *= 1 + rule.percent / 100
    moveTo(
      floorTo(maxOffer * (1 + rule.percent / 100), rounding),
      rule,
      `${rule.percent > 0 ? '+' : '−'}${Math.abs(rule.percent)} %`,
      { percent: rule.percent },
    )
  }
  for (const rule of applicable) {
    if (rule.maxOffer === null) continue
    const limit = rule.maxOffer
    moveTo(Math.min(maxOffer, limit), rule, `at most ${formatAmount(limit, currency)}`, { limit })
  }
  return { maxOffer, factor, steps }
}

/** Grades that must be evaluated for the offer of the given ones: rules of a better grade limit those of worse ones. */
export function gradesToEvaluate(
  conditions: readonly Condition[],
  rules: readonly AppliedRule[],
): readonly Condition[] {
  const worst = conditions.at(-1)
  const hasGradeRules = rules.some(({ conditions: grades }) => grades.length > 0)
  return hasGradeRules && worst ? CONDITIONS.slice(0, CONDITIONS.indexOf(worst) + 1) : conditions
}
