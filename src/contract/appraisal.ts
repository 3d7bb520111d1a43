import { z } from 'zod'
import { CONDITIONS, conditionSchema } from './conditions.ts'
import { currencyCode, exchangeRateSchema } from './currency.ts'
import { DEFECT_CODES } from './defects.ts'
import { DEVICE_KINDS } from './device-kinds.ts'
import { batchItemSchema } from './errors.ts'
import { lookupResultSchema } from './lookups.ts'
import { outcomeSchema } from './outcome.ts'
import { appliedPolicySchema } from './policy.ts'
import { lockSchema, PRICE_SOURCES, priceMarketSchema } from './pricing.ts'
import { quoteAtCounterSchema } from './quotes.ts'
import { readFieldSchema } from './text-reading.ts'
import { authorSchema, component, dateValue, instant, percent, slugValue } from './values.ts'
import { attributeSchema } from './variant.ts'

export const APPRAISAL_DECISIONS = ['buy', 'buy_and_repair', 'inspect', 'reject', 'identify'] as const
export type AppraisalDecision = (typeof APPRAISAL_DECISIONS)[number]
export const PLAN_NAMES = ['sell_as_is', 'repair_and_sell', 'sell_for_parts'] as const
export type PlanName = (typeof PLAN_NAMES)[number]
export const KNOWN_DEAL_STATUSES = ['offered', 'declined', 'in_stock', 'sold'] as const
export type KnownDealStatus = (typeof KNOWN_DEAL_STATUSES)[number]
const FOUND_BY = ['variant_id', 'device_id', 'text', 'identifier'] as const

const money = z.int()
const amount = z.int().min(0)
const code = z.string().regex(/^[a-z0-9_]+$/)
const messageText = z.string().min(1)

const knownDealSchema = component(
  'KnownDeal',
  'An earlier offer, purchase or sale of a device with the same identifier, by your organization.',
  {
    appraisal_id: z.string().describe('The appraisal.'),
    status: z
      .enum(KNOWN_DEAL_STATUSES)
      .describe('`offered`: appraised without an outcome. `in_stock`: bought and not sold.'),
    at: instant.describe('When it was recorded.'),
    date: dateValue.describe('Day of the deal, as recorded.'),
    price: amount
      .nullable()
      .describe(
        'Price paid (`in_stock`), received (`sold`) or offered, in minor units of `currency`; null without one.',
      ),
    currency: currencyCode.describe('Currency of the price.'),
    by: z.string().describe('Name of the person, key or command that recorded it.'),
  },
)

const identitySchema = component(
  'AppraisalIdentity',
  'Which device it is, how it was identified, and what is unresolved.',
  {
    device_id: slugValue.nullable().describe('Device id; null if not identified.'),
    device_name: z.string().nullable().describe('Its name.'),
    device_kind: z
      .enum(DEVICE_KINDS)
      .nullable()
      .describe('Kind that decides its grade texts and defects (`/api/meta/defects?category=`); null if it has none.'),
    variant_id: slugValue.nullable().describe('Variant id; null while attributes are unresolved.'),
    variant_name: z.string().nullable().describe('Its name.'),
    confidence: percent.describe('Confidence of the identification, in percent.'),
    identified_by: z
      .enum(FOUND_BY)
      .nullable()
      .describe('Field of the request that identified the device; null if none did.'),
    attributes: z
      .array(attributeSchema)
      .describe(
        'Attributes that are known, storage first, such as the storage while the color is open; without memory that follows from the storage.',
      ),
    unresolved_attributes: z
      .array(
        z.strictObject({
          name: z.string().min(1).describe('Name of the attribute.'),
          values: z.array(z.string()).describe('Values of the variants that still match.'),
          affects_price: z.boolean().describe('Whether the price depends on it.'),
        }),
      )
      .describe(
        'Attributes that still distinguish the matching variants, storage first; memory that follows from the storage is not listed. The cheapest matching variant is valued.',
      ),
    contradictions: z
      .array(
        z.strictObject({
          code: code.describe('Stable code.'),
          message: messageText.describe('Human-readable message.'),
        }),
      )
      .describe('Conflicts between the fields of the request. They are findings, not errors.'),
    candidates: z
      .array(
        z.strictObject({
          device_id: slugValue.describe('Candidate device.'),
          device_name: messageText.describe('Its name.'),
          variant_id: slugValue.nullable().describe('Candidate variant, if one matches.'),
          confidence: percent.describe('Confidence in percent.'),
        }),
      )
      .describe('Candidates when the device is not identified; best first.'),
    known_to_you: z
      .array(knownDealSchema)
      .describe(
        'What your organization did before with a device of the same IMEI (also the second one) or serial number, newest first, at most 20. One that is in your stock makes the decision `inspect`.',
      ),
  },
)

const pricedSchema = z
  .strictObject({
    amount: amount.describe('Median.'),
    low: amount.describe('Lower end of the 80 % interval.'),
    high: amount.describe('Upper end.'),
  })
  .refine(({ low, amount, high }) => low <= amount && amount <= high, 'the amount lies outside its range')
  .describe('A price with the interval expected to contain 80 % of single deals.')
  .meta({ id: 'PriceEstimate' })

/** The sentence of amounts that `withoutMargins` hides. */
const HIDDEN_FROM_CLERKS = 'Null for clerks whose organization hides margins.'

const valueSchema = component('AppraisalValue', 'Prices of one grade.', {
  condition: conditionSchema.describe('The grade.'),
  resale: pricedSchema.nullable().describe(`Resale price; null if no price is available. ${HIDDEN_FROM_CLERKS}`),
  buyback: pricedSchema.nullable().describe('Price trade-in businesses pay.'),
})

const repairOptionSchema = component('AppraisalRepair', 'A possible repair.', {
  category: z.string().min(1).describe('Repair category.'),
  name: messageText.describe('The repair.'),
  defects: z.array(z.enum(DEFECT_CODES)).describe('Defects it fixes; empty if it only raises the grade.'),
  parts_min: amount.nullable().describe('Minimum cost of the parts; null if unknown.'),
  parts_max: amount.nullable().describe('Maximum cost of the parts.'),
  labour_min: amount.nullable().describe('Minimum labour cost at the labour rate of the policy.'),
  labour_max: amount.nullable().describe('Maximum labour cost.'),
  minutes: z.int().min(0).nullable().describe('Typical working time in minutes.'),
  value_added: money
    .nullable()
    .describe('Increase of the proceeds, attributed to this repair by its share of the total repair cost.'),
  return_on_cost: z.number().nullable().describe('(value added − cost) / cost; null if either is unknown.'),
})

const planSchema = z
  .strictObject({
    plan: z.enum(PLAN_NAMES).describe('Plan.'),
    sold_as: conditionSchema
      .nullable()
      .describe('Grade it is sold as; null for parts and for devices that have no grade, such as dead ones.'),
    repairs: z.array(z.string()).describe('Categories of the repairs done before the sale.'),
    expected_proceeds: amount.describe('Median sale proceeds.'),
    costs: z
      .strictObject({
        parts: amount.describe('Parts.'),
        labour: amount.describe('Labour.'),
        selling_fee: amount.describe('Selling fee.'),
        holding_and_depreciation: amount.describe('Holding cost and expected depreciation until the sale.'),
      })
      .describe('Costs by kind.'),
    days_to_sell: amount.describe('Mean days until the sale.'),
    expected_profit: money.describe('Proceeds minus costs minus `offer.max_offer`.'),
    range: z
      .strictObject({ low: money.describe('Lower end.'), high: money.describe('Upper end.') })
      .describe('80 % interval of the profit.'),
    loss_probability: z.number().min(0).max(1).describe('Probability of a loss.'),
    max_offer: money.describe('Highest offer at which this plan satisfies the policy; negative if there is none.'),
  })
  .refine(
    ({ range, expected_profit }) => range.low <= expected_profit && expected_profit <= range.high,
    'profit lies outside its range',
  )
  .describe('One way to sell the device, evaluated at `offer.max_offer`.')
  .meta({ id: 'AppraisalPlan' })

/** The sentence of fields that `withoutMargins` leaves out. */
const NOT_FOR_CLERKS = 'Absent for clerks who may not see margins.'

const reasonSchema = component('AppraisalReason', 'One line of the calculation.', {
  code: code.describe('Stable code.'),
  message: messageText.describe('Human-readable text.'),
  parameters: z
    .record(code, z.union([messageText, z.number()]))
    .optional()
    .describe(
      'Values that the message names, for texts of your own. Absent without such values, and in appraisals of earlier versions.',
    ),
  amount: money.optional().describe(`Change of the offer. ${NOT_FOR_CLERKS}`),
  running_total: money.optional().describe(`Sum of the amounts so far. ${NOT_FOR_CLERKS}`),
})

/** Without margins only the findings are listed, and without amounts. */
const hasAmounts = (reasons: readonly z.infer<typeof reasonSchema>[]) =>
  reasons.some(({ amount }) => amount !== undefined)

const offerSchema = z
  .strictObject({
    decision: z
      .enum(APPRAISAL_DECISIONS)
      .describe(
        '`buy`: buy and sell as is or for parts. `buy_and_repair`: buy and repair before selling. `inspect`: check the device before making the offer. `reject`: do not buy. `identify`: the device could not be identified.',
      ),
    condition: conditionSchema.nullable().describe('Grade the offer is for; the worst if none was given.'),
    plan: z.enum(PLAN_NAMES).nullable().describe('Best plan; null if there is none.'),
    max_offer: amount
      .nullable()
      .describe(`Highest offer that satisfies the policy; null if it cannot be calculated. ${HIDDEN_FROM_CLERKS}`),
    recommended_offer: amount.nullable().describe('Suggested offer: `max_offer`, capped at the market trade-in price.'),
    reasons: z
      .array(reasonSchema)
      .describe(
        'The calculation line by line. The amounts before `market_buyback_cap` add up to `max_offer`; all amounts add up to `recommended_offer`. Clerks who may not see margins get the findings without amounts.',
      ),
    by_condition: z
      .array(
        z.strictObject({
          condition: conditionSchema.describe('The grade.'),
          plan: z.enum(PLAN_NAMES).nullable().describe('Best plan.'),
          max_offer: amount.nullable().describe(`Highest offer. ${HIDDEN_FROM_CLERKS}`),
          recommended_offer: amount.nullable().describe('Suggested offer.'),
        }),
      )
      .describe('Offer for each requested grade, best first.'),
    source: z.enum(PRICE_SOURCES).nullable().describe('Source of the prices; null without prices.'),
    market_confidence: percent.describe('Confidence of the prices in percent.'),
    method: messageText.describe('Version of the calculation.'),
  })
  .refine(
    ({ reasons }) =>
      !hasAmounts(reasons) ||
      reasons.every(
        ({ amount, running_total }, at) =>
          running_total === (reasons[at - 1]?.running_total ?? 0) + (amount ?? Number.NaN),
      ),
    'the reasons do not add up',
  )
  .refine(
    ({ reasons, recommended_offer }) =>
      recommended_offer === null || !hasAmounts(reasons) || recommended_offer === (reasons.at(-1)?.running_total ?? 0),
    'the reasons do not lead to the recommended offer',
  )
  .refine(
    ({ reasons, max_offer }) =>
      max_offer === null ||
      !hasAmounts(reasons) ||
      max_offer === (reasons.filter((reason) => reason.code !== 'market_buyback_cap').at(-1)?.running_total ?? 0),
    'the reasons do not lead to the greatest offer',
  )
  .refine(
    ({ max_offer, recommended_offer }) => max_offer === null || (recommended_offer ?? 0) <= max_offer,
    'recommended above the greatest',
  )
  .refine(({ decision, max_offer }) => decision !== 'reject' || !max_offer, 'an offer on a rejected device')
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
  .describe('Decision, highest offer and reasons.')
  .meta({ id: 'AppraisalOffer' })

const textContradictionSchema = component('AppraisalTextContradiction', 'A stated field that differs from the text.', {
  field: messageText.describe('The field.'),
  stated: messageText.describe('Its value in the request, which counts.'),
  words: z.string().describe('The words of the text.'),
  value: messageText.describe('The value that the words state.'),
  message: messageText.describe('Human-readable message.'),
})

export const appraisalSchema = z
  .strictObject({
    appraisal_id: z
      .string()
      .regex(/^apr_[0-9A-Z]+$/)
      .describe('Id of the appraisal; sorts by time.'),
    timestamp: instant.describe('Time of the appraisal.'),
    created_by: authorSchema.describe('Who made the appraisal.'),
    reference: z.string().nullable().describe('Your reference, as sent.'),
    agreed_offer: amount.nullable().describe('What you agreed to pay, as sent; null if not sent.'),
    declined: z.boolean().describe('Whether you recorded that the device was not bought.'),
    defects: z
      .array(z.enum(DEFECT_CODES))
      .describe('Defects taken into account, including those reported by a source.'),
    read_from_text: z
      .array(readFieldSchema)
      .describe('What was read from `text` beside the device, and is taken into account.'),
    contradictions: z
      .array(textContradictionSchema)
      .describe(
        'Stated fields that differ from the text. The stated field counts; where the text describes a cheaper device, the decision is `inspect`. Conflicts about which device it is are in `identity.contradictions`.',
      ),
    identity: identitySchema,
    risk: lookupResultSchema.nullable().describe('Lookup of the identifier; null if none was given.'),
    value: z
      .array(valueSchema)
      .describe('Prices per requested grade, best first; empty if the device is not identified.'),
    repairs: z.array(repairOptionSchema).describe('Repairs that fix the defects or raise the grade.'),
    plans: z.array(planSchema).optional().describe(`Plans for the grade of the offer. ${NOT_FOR_CLERKS}`),
    rejected_plans: z
      .array(
        z.strictObject({
          plan: z.enum(PLAN_NAMES).describe('The plan.'),
          reason: messageText.describe('Why it is not possible.'),
        }),
      )
      .optional()
      .describe(`Plans that are not possible, with the reason. ${NOT_FOR_CLERKS}`),
    offer: offerSchema,
    policy: appliedPolicySchema
      .optional()
      .describe(`Policy applied, including overrides; amounts in the currency of the response. ${NOT_FOR_CLERKS}`),
    market: priceMarketSchema.nullable().describe('The market whose prices these are; null without prices.'),
    lock: lockSchema.describe(
      'Carrier lock that the prices are for: as sent, else `locked` if a source or the defect `carrier_locked` says so.',
    ),
    sample: z.boolean().describe('Whether any data is simulated: sample prices or a sandbox identifier.'),
    currency: currencyCode.describe('Currency of all amounts; they are in its minor units.'),
    exchange_rate: exchangeRateSchema.nullable().describe('Null if the currency is USD.'),
    outcome: outcomeSchema.nullable().describe('Outcome of the deal; null while it is open.'),
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
  .describe('An appraisal: identity, risk, prices, repairs, plans and the offer.')
  .meta({ id: 'Appraisal' })

export const appraisalItemSchema = batchItemSchema(appraisalSchema, 'AppraisalBatchItem')

/** As a caller sees it, perhaps without margins. */
export type AppraisalWire = z.infer<typeof appraisalSchema>
type ReasonWire = AppraisalWire['offer']['reasons'][number]
/** With all fields, as it is recorded. */
export type FullAppraisalWire = Omit<AppraisalWire, 'plans' | 'rejected_plans' | 'policy' | 'offer'> &
  Required<Pick<AppraisalWire, 'plans' | 'rejected_plans' | 'policy'>> & {
    offer: Omit<AppraisalWire['offer'], 'reasons'> & {
      reasons: (ReasonWire & Required<Pick<ReasonWire, 'amount' | 'running_total'>>)[]
    }
  }
/** An appraisal as it is stored: its outcome is stored apart, because it changes. */
export type StoredAppraisalWire = Omit<FullAppraisalWire, 'outcome'>

const { appraisal_id: _id, created_by: _author, outcome: _outcome, ...previewFields } = appraisalSchema.shape

export const appraisalPreviewSchema = component(
  'AppraisalPreview',
  'An appraisal that is not recorded, with the offers for all grades.',
  {
    ...previewFields,
    grades: z
      .array(
        valueSchema.extend({
          max_offer: amount.nullable().describe(`Highest offer. ${HIDDEN_FROM_CLERKS}`),
          recommended_offer: amount.nullable().describe('Suggested offer.'),
        }),
      )
      .describe('Prices and offers for all four grades, best first.'),
    quote: quoteAtCounterSchema
      .optional()
      .describe('The quote that the request names, beside what the counter found; absent without one.'),
    trade_in: pricedSchema
      .nullable()
      .describe('What trade-in businesses pay for a device in this state, with its defects; null if unknown.'),
  },
)
export type AppraisalPreviewWire = z.infer<typeof appraisalPreviewSchema>
export type AppraisalItemWire = z.infer<typeof appraisalItemSchema>
