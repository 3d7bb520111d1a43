import { z } from 'zod'
import { CONDITIONS, conditionSchema } from './conditions.ts'
import { currencyCode, exchangeRateSchema } from './currency.ts'
import { DEFECT_CODES } from './defects.ts'
import { itemErrorSchema } from './errors.ts'
import { lookupResultSchema } from './lookups.ts'
import { policySchema } from './policy.ts'
import { PRICE_SOURCES } from './pricing.ts'
import { instant, percent, slugValue } from './values.ts'

export const APPRAISAL_DECISIONS = ['buy', 'buy_and_repair', 'inspect', 'reject', 'identify'] as const
export type AppraisalDecision = (typeof APPRAISAL_DECISIONS)[number]
export const PLAN_NAMES = ['sell_as_is', 'repair_and_sell', 'sell_for_parts'] as const
export type PlanName = (typeof PLAN_NAMES)[number]
const FOUND_BY = ['variant_id', 'device_id', 'text', 'identifier'] as const

const money = z.int()
const amount = z.int().min(0)
const code = z.string().regex(/^[a-z0-9_]+$/)
const messageText = z.string().min(1)

const identitySchema = z
  .strictObject({
    device_id: slugValue.nullable().describe('The device; null when it is not known.'),
    device_name: z.string().nullable().describe('Its name.'),
    variant_id: slugValue.nullable().describe('The variant; null while an attribute is open.'),
    variant_name: z.string().nullable().describe('Its name.'),
    confidence: percent.describe('How sure it is that this is the device in hand.'),
    identified_by: z.enum(FOUND_BY).nullable().describe('What of the request named the device; null when nothing did.'),
    unresolved_attributes: z
      .array(
        z.strictObject({
          name: z.string().min(1).describe('Name of the attribute.'),
          values: z.array(z.string()).describe('What it can be, by the variants that still fit.'),
          affects_price: z.boolean().describe('Whether the price depends on it.'),
        }),
      )
      .describe('Attributes that still tell variants apart. The cheapest of those that fit is valued.'),
    contradictions: z
      .array(
        z.strictObject({
          code: code.describe('Stable name of the finding.'),
          message: messageText.describe('The finding as a sentence.'),
        }),
      )
      .describe('Where what was sent does not fit together. A contradiction is a finding, not a refusal.'),
    candidates: z
      .array(
        z.strictObject({
          device_id: slugValue.describe('A device it could be.'),
          device_name: messageText.describe('Its name.'),
          variant_id: slugValue.nullable().describe('A variant, where one fits.'),
          confidence: percent.describe('How likely it is.'),
        }),
      )
      .describe('What to choose from while the device is not known; best first.'),
  })
  .describe('What device it is, how that was found, and what is still open.')
  .meta({ id: 'AppraisalIdentity' })

const pricedSchema = z
  .strictObject({
    amount: amount.describe('The middle of the range.'),
    low: amount.describe('Lower end of the 80 % range.'),
    high: amount.describe('Upper end.'),
  })
  .refine(({ low, amount, high }) => low <= amount && amount <= high, 'the amount lies outside its range')
  .describe('An amount with the range that should hold 80 % of single deals.')
  .meta({ id: 'PriceEstimate' })

const valueSchema = z
  .strictObject({
    condition: conditionSchema.describe('The grade.'),
    resale: pricedSchema.nullable().describe('What it sells for; null when there is no basis for a price.'),
    buyback: pricedSchema.nullable().describe('What trade-in businesses pay for it.'),
  })
  .describe('What a device of one grade is worth.')
  .meta({ id: 'AppraisalValue' })

const repairOptionSchema = z
  .strictObject({
    category: z.string().min(1).describe('What is mended or replaced, as a category.'),
    name: messageText.describe('The repair.'),
    defects: z.array(z.enum(DEFECT_CODES)).describe('The defects it mends; empty where it only raises the grade.'),
    parts_min: amount.nullable().describe('Least cost of the parts; null when no cost is known.'),
    parts_max: amount.nullable().describe('Highest cost of the parts.'),
    labour_min: amount.nullable().describe('Least cost of the work, at the labour rate of the policy.'),
    labour_max: amount.nullable().describe('Highest cost of the work.'),
    minutes: z.int().min(0).nullable().describe('Usual working time.'),
    value_added: money
      .nullable()
      .describe('What it adds to the proceeds, as its share in the cost of all these repairs.'),
    return_on_cost: z.number().nullable().describe('(value added − cost) / cost; null when either is not known.'),
  })
  .describe('A repair worth considering.')
  .meta({ id: 'AppraisalRepair' })

const planSchema = z
  .strictObject({
    plan: z.enum(PLAN_NAMES).describe('What is done with the device.'),
    sold_as: conditionSchema.nullable().describe('The grade it is sold as; null for parts.'),
    repairs: z.array(z.string()).describe('Categories of the repairs that are done first.'),
    expected_proceeds: amount.describe('What the sale brings in the middle of its range.'),
    costs: z
      .strictObject({
        parts: amount.describe('Parts.'),
        labour: amount.describe('Work.'),
        selling_fee: amount.describe('Fees of selling.'),
        holding_and_depreciation: amount.describe(
          'Holding cost until it is sold, with what the market is expected to lose meanwhile.',
        ),
      })
      .describe('Costs by kind.'),
    days_to_sell: amount.describe('Days until it is sold, on average.'),
    expected_profit: money.describe('Proceeds less costs less `max_offer` of the appraisal.'),
    range: z
      .strictObject({ low: money.describe('Lower end.'), high: money.describe('Upper end.') })
      .describe('The 80 % range of the profit.'),
    loss_probability: z.number().min(0).max(1).describe('How likely the deal loses money.'),
    max_offer: money.describe('The greatest offer at which this plan keeps to the policy; below zero where none does.'),
  })
  .refine(
    ({ range, expected_profit }) => range.low <= expected_profit && expected_profit <= range.high,
    'profit lies outside its range',
  )
  .describe('One way to make money of the device, reckoned at the greatest offer.')
  .meta({ id: 'AppraisalPlan' })

const reasonSchema = z
  .strictObject({
    code: code.describe('Stable name of the reason.'),
    message: messageText.describe('The reason as a sentence.'),
    amount: money.describe('What it moved the offer by.'),
    running_total: money.describe('What is left after it: the sum of the amounts so far.'),
  })
  .describe('One line of the sum.')
  .meta({ id: 'AppraisalReason' })

const offerSchema = z
  .strictObject({
    decision: z
      .enum(APPRAISAL_DECISIONS)
      .describe(
        '`buy`: sell it as it is, or for parts. `buy_and_repair`: mend it first. `inspect`: something must be looked at before the offer is made. `reject`: do not buy. `identify`: it is not known what it is.',
      ),
    condition: conditionSchema.nullable().describe('The grade that the offer is for; the worst when none was given.'),
    plan: z.enum(PLAN_NAMES).nullable().describe('The best plan; null where there is none.'),
    max_offer: amount
      .nullable()
      .describe('The greatest offer that keeps to the policy; null when nothing can be said.'),
    recommended_offer: amount
      .nullable()
      .describe('What to offer: the same, or what trade-in businesses pay where that is less.'),
    reasons: z
      .array(reasonSchema)
      .describe(
        'The sum, line by line. All amounts up to `market_buyback_cap` add up to `max_offer`, with it to `recommended_offer`.',
      ),
    by_condition: z
      .array(
        z.strictObject({
          condition: conditionSchema.describe('The grade.'),
          plan: z.enum(PLAN_NAMES).nullable().describe('Its best plan.'),
          max_offer: amount.nullable().describe('Its greatest offer.'),
          recommended_offer: amount.nullable().describe('What to offer for it.'),
        }),
      )
      .describe('The offer for each grade that was asked for, best first.'),
    source: z.enum(PRICE_SOURCES).nullable().describe('Where the prices come from; null without prices.'),
    market_confidence: percent.describe('How sure the prices are.'),
    method: messageText.describe('Version of the sum.'),
  })
  .refine(
    ({ reasons }) =>
      reasons.every(
        ({ amount, running_total }, at) => running_total === (reasons[at - 1]?.running_total ?? 0) + amount,
      ),
    'the reasons do not add up',
  )
  .refine(
    ({ reasons, recommended_offer }) =>
      recommended_offer === null || recommended_offer === (reasons.at(-1)?.running_total ?? 0),
    'the reasons do not lead to the recommended offer',
  )
  .refine(
    ({ reasons, max_offer }) =>
      max_offer === null ||
      max_offer === (reasons.filter((reason) => reason.code !== 'market_buyback_cap').at(-1)?.running_total ?? 0),
    'the reasons do not lead to the greatest offer',
  )
  .refine(
    ({ max_offer, recommended_offer }) => (recommended_offer ?? 0) <= (max_offer ?? 0),
    'recommended above the greatest',
  )
  .refine(({ decision, max_offer }) => decision !== 'reject' || max_offer === 0, 'an offer on a rejected device')
  .refine(
    ({ by_condition: grades }) =>
      grades.every(({ condition, max_offer: most }, at) => {
        const better = grades[at - 1]
        if (!better) return true
        const isOrdered = CONDITIONS.indexOf(better.condition) < CONDITIONS.indexOf(condition)
        return isOrdered && (most ?? 0) <= (better.max_offer ?? Number.POSITIVE_INFINITY)
      }),
    'a worse grade is offered more than a better one',
  )
  .describe('What to do, what to pay at most, and why.')
  .meta({ id: 'AppraisalOffer' })

export const appraisalSchema = z
  .strictObject({
    appraisal_id: z
      .string()
      .regex(/^apr_[0-9A-Z]+$/)
      .describe('Identifier of this appraisal; sorts by time.'),
    timestamp: instant.describe('When it was made.'),
    reference: z.string().nullable().describe('Your own number, as sent.'),
    defects: z
      .array(z.enum(DEFECT_CODES))
      .describe('The defects that were reckoned with, also those a source told of.'),
    identity: identitySchema,
    risk: lookupResultSchema.nullable().describe('The lookup of the identifier; null when none was given.'),
    value: z.array(valueSchema).describe('Per condition asked for, best first; empty while the device is not known.'),
    repairs: z.array(repairOptionSchema).describe('Repairs worth considering for the defects or for the grade.'),
    plans: z.array(planSchema).describe('The plans there are for the grade of the offer.'),
    rejected_plans: z
      .array(
        z.strictObject({
          plan: z.enum(PLAN_NAMES).describe('The plan.'),
          reason: messageText.describe('Why it is not there.'),
        }),
      )
      .describe('Plans that cannot be reckoned, and why.'),
    offer: offerSchema,
    policy: policySchema.describe('The policy that was applied, overrides in; amounts in the currency of the answer.'),
    sample: z
      .boolean()
      .describe('Whether anything in it is simulated: prices of the sample market, or a sandbox identifier.'),
    currency: currencyCode.describe('Currency of all amounts; they are in its minor units.'),
    exchange_rate: exchangeRateSchema.nullable().describe('Null where the currency is US dollars.'),
  })
  .refine(
    ({ offer, sample }) => sample || offer.source !== 'sample',
    'sample prices in an appraisal that is not marked',
  )
  .refine(
    ({ risk, offer }) =>
      !risk ||
      (risk.blacklist_status !== 'blacklisted' && !risk.reported_lost_stolen) ||
      offer.decision === 'reject' ||
      offer.max_offer === null,
    'an offer on a listed device',
  )
  .describe('From what is in hand to a decision.')
  .meta({ id: 'Appraisal' })

export const appraisalItemSchema = z
  .discriminatedUnion('success', [
    z.strictObject({
      index: z.int().min(0).describe('Place in the request, from 0.'),
      success: z.literal(true).describe('The device was appraised.'),
      result: appraisalSchema,
    }),
    z.strictObject({
      index: z.int().min(0).describe('Place in the request, from 0.'),
      success: z.literal(false).describe('The item was refused.'),
      error: itemErrorSchema,
    }),
  ])
  .describe('The appraisal of one item, or why it was refused.')
  .meta({ id: 'AppraisalBatchItem' })

export type AppraisalWire = z.infer<typeof appraisalSchema>
/** What an appraisal would be while somebody is still at it: without a record, and with every grade beside the chosen one. */
export type AppraisalPreviewWire = Omit<AppraisalWire, 'appraisal_id'> & {
  grades: (AppraisalWire['value'][number] & { max_offer: number | null; recommended_offer: number | null })[]
}
export type AppraisalItemWire = z.infer<typeof appraisalItemSchema>
