import { z } from 'zod'
import { CONDITIONS, conditionSchema } from './conditions.ts'
import { currencyCode, currencyField } from './currency.ts'
import { envelopeSchema } from './envelope.ts'
import { exampleAppraisal } from './examples.ts'
import { bodyOf, defineManagementEndpoint } from './management-shared.ts'
import {
  authorSchema,
  component,
  confirmAmountField,
  dateValue,
  dayParameter,
  idValue,
  optionalField,
  slugValue,
} from './values.ts'

const MAX_RULES = 200
const MAX_DEVICES = 50
const MAX_AMOUNT = 100_000_000_000
const NOTE_MAX_LENGTH = 100
const AMOUNT = 'a whole number of minor units of the currency (cents), 0 or more'
const PERCENT = 'a number from -90 to 100 that is not 0'
const REVISION = 'the revision of the rules that these replace'
const NOTE = `text of at most ${NOTE_MAX_LENGTH} characters without control characters`

const ruleSchema = component('PriceRule', 'A price rule of the organization.', {
  id: z.string().describe('Id of the rule.'),
  device_ids: z.array(slugValue).describe('Devices it is for; empty for all.'),
  conditions: z.array(conditionSchema).describe('Grades it is for; empty for all.'),
  from: dateValue.nullable().describe('First day (UTC); null without beginning.'),
  until: dateValue.nullable().describe('Last day (UTC); null without end.'),
  percent: z.number().nullable().describe('Change of the offer in percent; null for a limit.'),
  max_offer: z.int().nullable().describe('Highest offer in minor units of `currency`; null for a change in percent.'),
  note: z.string().describe('Its name in the calculation; may be empty.'),
  created_by: authorSchema.describe('Who made the rule.'),
})
export type PriceRuleWire = z.infer<typeof ruleSchema>

const rulesSchema = component('PriceRules', 'Price rules of the organization.', {
  currency: currencyCode.describe('Currency of all `max_offer`.'),
  rules: z
    .array(ruleSchema)
    .describe('The rules, in the order in which they are applied: changes in percent, then limits.'),
  revision: z.int().describe('Number of changes so far.'),
})
export type PriceRulesWire = z.infer<typeof rulesSchema>

const newRuleSchema = z
  .object({
    id: optionalField(idValue).describe('Id of a rule that stays or changes; absent: a further rule.'),
    device_ids: optionalField(z.array(slugValue).max(MAX_DEVICES)).describe('Devices it is for. Default: all.'),
    conditions: optionalField(
      z.array(z.enum(CONDITIONS, { error: `one of ${CONDITIONS.join(', ')}` })).max(CONDITIONS.length),
    ).describe('Grades it is for. Default: all.'),
    from: optionalField(dayParameter).describe('First day (UTC).'),
    until: optionalField(dayParameter).describe('Last day (UTC).'),
    percent: optionalField(
      z
        .number({ error: PERCENT })
        .min(-90, PERCENT)
        .max(100, PERCENT)
        .refine((value) => value !== 0, PERCENT),
    ).describe('Change of the offer in percent. Give this or `max_offer`.'),
    max_offer: optionalField(z.int({ error: AMOUNT }).min(0, AMOUNT).max(MAX_AMOUNT, AMOUNT)).describe(
      'Highest offer in minor units of `currency`; 0: never buy.',
    ),
    confirm_amount: confirmAmountField.describe(
      'True if the limit is right although it is far from what the devices are worth.',
    ),
    note: optionalField(
      z
        .string({ error: NOTE })
        .trim()
        .max(NOTE_MAX_LENGTH, NOTE)
        .regex(/^[^\p{Cc}\p{Cs}]*$/u, NOTE),
    ).describe('Name of the rule in the calculation.'),
  })
  .refine(({ percent, max_offer: limit }) => (percent === undefined) !== (limit === undefined), {
    path: ['percent'],
    error: 'either percent or max_offer',
  })
  .refine(({ from, until }) => !from || !until || from <= until, { path: ['until'], error: 'a day on or after `from`' })

const replaceRulesSchema = z
  .object({
    currency: currencyField.describe(
      "ISO 4217 code of all `max_offer`. Default: the currency of the organization's policy.",
    ),
    rules: z
      .array(newRuleSchema)
      .max(MAX_RULES, `at most ${MAX_RULES} rules`)
      .describe('All rules: those that are missing are removed.'),
    revision: optionalField(z.int({ error: REVISION }).min(0, REVISION)).describe(
      '`revision` of the rules that these replace: if others changed them meanwhile, the request is rejected. Default: replaces any.',
    ),
  })
  .meta({ id: 'PriceRulesChange', description: 'The price rules.' })
export type PriceRulesChangeWire = z.output<typeof replaceRulesSchema>

const exampleRules: PriceRulesWire = {
  currency: 'EUR',
  rules: [
    {
      id: 'rule_0f246810c52148df3',
      device_ids: ['apple-iphone-11'],
      conditions: [],
      from: null,
      until: null,
      percent: null,
      max_offer: 10_000,
      note: '',
      created_by: exampleAppraisal.created_by,
    },
    {
      id: 'rule_0f246810c52148df4',
      device_ids: ['samsung-galaxy-s24'],
      conditions: ['Excellent', 'Good'],
      from: '2026-03-02',
      until: '2026-03-08',
      percent: 10,
      max_offer: null,
      note: 'Week of the S24',
      created_by: exampleAppraisal.created_by,
    },
  ],
  revision: 2,
}

export const getPriceRules = defineManagementEndpoint('GET /api/manage/price-rules', {
  id: 'getPriceRules',
  permission: 'policy:read',
  summary: 'Get the price rules',
  description: 'Rules of the organization that change or limit its offers.',
  response: envelopeSchema(rulesSchema),
  examples: [{ summary: 'A limit and a campaign', data: exampleRules }],
})

export const replacePriceRules = defineManagementEndpoint('PUT /api/manage/price-rules', {
  id: 'replacePriceRules',
  permission: 'policy:write',
  summary: 'Replace the price rules',
  description:
    'Every appraisal of the organization applies the rules of its device, grade and day, first changes in percent and then limits, and shows each as a line of the calculation (`price_rule`). An offer for a worse grade never exceeds that for a better one.',
  body: bodyOf(replaceRulesSchema),
  response: envelopeSchema(rulesSchema),
  examples: [
    {
      summary: 'Never over €100 for an iPhone 11',
      body: { currency: 'EUR', rules: [{ device_ids: ['apple-iphone-11'], max_offer: 10_000 }] },
      data: { ...exampleRules, rules: exampleRules.rules.slice(0, 1), revision: 1 },
    },
  ],
})
