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

const policyFields = {
  target_margin_percent: percentage(90, 'Required profit, in percent of the sale price.'),
  min_profit: amount(0, 'Minimum profit per device.'),
  selling_fee_percent: percentage(90, 'Selling fee in percent of the sale price: marketplace, payment, shipping.'),
  labour_per_hour: amount(0, 'Labour cost per hour.'),
  holding_cost_per_day: amount(0, 'Cost per day until the sale: space, capital, insurance.'),
  max_loss_probability: z
    .number({ error: PROBABILITY })
    .min(0.01, PROBABILITY)
    .max(0.5, PROBABILITY)
    .describe('Maximum probability that a deal loses money.'),
  action_at_low_risk: action('Action at risk level `low`.'),
  action_at_medium_risk: action('Action at risk level `medium`.'),
  action_at_high_risk: action('Action at risk level `high`.'),
  action_at_critical_risk: action('Action at risk level `critical`. Blacklisted devices are always rejected.'),
  action_without_identifier: action(
    'Action if no identifier was given. An identifier that no connected source covers is treated the same, at worst as `inspect`.',
  ),
  max_unverified_risk_points: z
    .int({ error: POINTS })
    .min(0, POINTS)
    .max(100, POINTS)
    .describe(
      'Maximum risk points from checks that failed although a source is connected; above it the decision is `inspect`. Checks for which no source is connected do not count.',
    ),
  min_confidence: z
    .int({ error: POINTS })
    .min(0, POINTS)
    .max(100, POINTS)
    .describe('Minimum `market_confidence` of the price; below it the decision is `inspect`, to be priced by hand.'),
  offer_rounding: amount(1, 'Offers are rounded down to a multiple of this.'),
}

/** Rules for clerks. They do not change the calculation, so a request cannot override them. */
const clerkFields = {
  clerk_offer_limit: amount(0, '')
    .nullable()
    .describe('Highest offer a clerk may save; a manager must approve more. Without a value there is no limit.'),
  clerks_see_margins: z
    .boolean({ error: 'true or false' })
    .describe('Whether clerks see resale plans, costs, margins and expected profit.'),
}

/** Unlike other unknown fields these are errors: a misspelt margin must not become an offer without one. */
const UNKNOWN_FIELD = `an object with nothing but ${Object.keys(policyFields).join(', ')}`

export const policySchema = z
  .strictObject({
    currency: currencyCode.describe('Currency of the amounts, and of offers unless the request names another.'),
    ...policyFields,
    ...clerkFields,
  })
  .describe('Buying policy of an organization. Amounts are minor units of `currency`.')

/** As it was applied to an appraisal, which is returned as it was recorded. */
export const appliedPolicySchema = policySchema
  .omit({ clerk_offer_limit: true, clerks_see_margins: true })
  .extend({
    min_confidence: policyFields.min_confidence
      .optional()
      .describe(`${policyFields.min_confidence.description} Absent in old appraisals.`),
  })
  .describe('Buying policy of an organization. Amounts are minor units of `currency`.')
  .meta({ id: 'AppraisalPolicy' })

export const policyOverridesSchema = z
  .strictObject(policyFields, { error: UNKNOWN_FIELD })
  .partial()
  .describe(
    "Overrides of the organization's policy for this appraisal. Amounts are minor units of the policy's currency.",
  )
  .meta({ id: 'AppraisalPolicyOverrides' })

export type PolicyWire = z.infer<typeof policySchema>
