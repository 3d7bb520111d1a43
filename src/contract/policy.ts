import { z } from 'zod'
import { currencyCode } from './currency.ts'

export const RISK_ACTIONS = ['offer', 'inspect', 'reject'] as const
export type RiskAction = (typeof RISK_ACTIONS)[number]

const MAX_AMOUNT = 100_000_000

function percentage(max: number, description: string) {
  const expected = `a number of percent from 0 to ${max}`
  return z.number({ error: expected }).min(0, expected).max(max, expected).describe(description)
}

function amount(min: number, description: string) {
  const expected = `a whole number of minor units from ${min} to ${MAX_AMOUNT}`
  return z.int({ error: expected }).min(min, expected).max(MAX_AMOUNT, expected).describe(description)
}

function action(description: string) {
  return z.enum(RISK_ACTIONS, { error: `one of ${RISK_ACTIONS.join(', ')}` }).describe(description)
}

const PROBABILITY = 'a probability from 0.01 to 0.5'
const POINTS = 'a whole number of points from 0 to 100'

/** What an organization wants of a deal. Amounts are minor units of `currency`. */
const policyFields = {
  target_margin_percent: percentage(90, 'Profit that a sale must leave, in percent of its price.'),
  min_profit: amount(0, 'Profit that a sale must leave at least, however cheap the device.'),
  selling_fee_percent: percentage(90, 'What selling costs, in percent of the price: marketplace, payment, shipping.'),
  labour_per_hour: amount(0, 'What an hour of work in the workshop costs.'),
  holding_cost_per_day: amount(0, 'What a device costs for every day until it is sold: space, capital, care.'),
  max_loss_probability: z
    .number({ error: PROBABILITY })
    .min(0.01, PROBABILITY)
    .max(0.5, PROBABILITY)
    .describe('How likely a deal may lose money at most.'),
  action_at_low_risk: action('What to do with a device whose identifier is at risk level `low`.'),
  action_at_medium_risk: action('What to do at risk level `medium`.'),
  action_at_high_risk: action('What to do at risk level `high`.'),
  action_at_critical_risk: action(
    'What to do at risk level `critical`. A listed device is rejected whatever this says.',
  ),
  action_without_identifier: action('What to do with a device whose identifier was not given.'),
  max_unverified_risk_points: z
    .int({ error: POINTS })
    .min(0, POINTS)
    .max(100, POINTS)
    .describe('Points of the risk score that may come from what nobody could check; above it the device is inspected.'),
  offer_rounding: amount(1, 'Offers are rounded down to a multiple of this.'),
}

/** Not ignored like other unknown fields: a misspelt margin must not become an offer without one. */
const UNKNOWN_FIELD = `an object with nothing but ${Object.keys(policyFields).join(', ')}`

export const policySchema = z
  .strictObject({
    currency: currencyCode.describe('Currency of the amounts, and of offers unless another is asked for.'),
    ...policyFields,
  })
  .describe('What an organization wants of a deal. Amounts are minor units of `currency`.')
  .meta({ id: 'AppraisalPolicy' })

export const policyOverridesSchema = z
  .strictObject(policyFields, { error: UNKNOWN_FIELD })
  .partial()
  .describe(
    "Other terms than the organization's own for this appraisal. Amounts are minor units of the policy's currency.",
  )
  .meta({ id: 'AppraisalPolicyOverrides' })

export type PolicyWire = z.infer<typeof policySchema>
export type PolicyOverridesWire = z.infer<typeof policyOverridesSchema>
