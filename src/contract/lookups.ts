import { z } from 'zod'
import { batchItemSchema } from './errors.ts'
import { instant, percent, slugValue } from './values.ts'

export const IDENTIFIER_TYPES = ['imei', 'serial', 'esn', 'meid'] as const
export type IdentifierType = (typeof IDENTIFIER_TYPES)[number]
const BLACKLIST_STATUSES = ['clean', 'blacklisted', 'pending', 'unknown'] as const
const GSMA_STATUSES = ['clean', 'blacklisted', 'unknown'] as const
const CTIA_STATUSES = ['clean', 'lost_stolen', 'unknown'] as const
const CARRIER_LOCKS = ['unlocked', 'locked', 'unknown'] as const
export const RISK_LEVELS = ['low', 'medium', 'high', 'critical'] as const
export type RiskLevel = (typeof RISK_LEVELS)[number]
const RECOMMENDATIONS = ['buy', 'inspect', 'recheck_identifier', 'reject'] as const
export type Recommendation = (typeof RECOMMENDATIONS)[number]
const FRESHNESS = ['real-time', 'cached', 'stale'] as const

export const LOOKUP_BATCH_MAX_ITEMS = 1_000
export const LOOKUP_MAX_BYTES = 64 * 1024
export const LOOKUP_BATCH_MAX_BYTES = 256 * 1024
export const IDEMPOTENCY_KEY_MAX_LENGTH = 255

/** 0–24 low, 25–49 medium, 50–74 high, 75–100 critical. */
export function riskLevelOf(score: number): RiskLevel {
  if (score >= 75) return 'critical'
  if (score >= 50) return 'high'
  return score >= 25 ? 'medium' : 'low'
}

/** In any letter case; `serial_number` is taken for `serial`, and null counts as absent. */
function normalizeType(sent: unknown): unknown {
  if (sent === null) return undefined
  const word = typeof sent === 'string' ? sent.trim().toLowerCase() : sent
  return word === 'serial_number' ? 'serial' : word
}

const IDENTIFIER_EXPECTED = 'an IMEI, MEID, ESN or serial number as text'
const NOT_A_NUMBER = 'text in quotation marks; a JSON number loses leading zeros and the digits beyond the fifteenth'

export const lookupRequestSchema = z
  .object(
    {
      identifier: z
        .string({ error: ({ input }) => (typeof input === 'number' ? NOT_A_NUMBER : IDENTIFIER_EXPECTED) })
        .meta({
          description:
            'IMEI, IMEISV, MEID, ESN or serial number, as text. Spaces, dots, dashes and slashes are ignored and the text is echoed as sent.',
          override: { minLength: 1 },
        }),
      identifier_type: z
        .preprocess(
          normalizeType,
          z.enum(IDENTIFIER_TYPES, { error: `one of ${IDENTIFIER_TYPES.join(', ')}` }).optional(),
        )
        .meta({
          description:
            'Kind of identifier, in any letter case; `serial_number` is taken for `serial`. Absent: recognised from the identifier.',
          override: { type: 'string', enum: [...IDENTIFIER_TYPES, 'serial_number'] },
        }),
    },
    { error: 'a JSON object with an identifier' },
  )
  .meta({ id: 'IMEILookupRequest', description: 'The identifier to assess. Further fields are ignored.' })

const deviceMatchSchema = z
  .strictObject({
    confidence: percent.describe('How sure the match is; 0 when nothing matched.'),
    matched_device_id: slugValue.nullable().describe('Device, or null.'),
    matched_device_name: z.string().nullable().describe('Its name, or null.'),
    matched_variant_id: slugValue.nullable().describe('Variant, or null: a TAC alone never names one.'),
    matched_variant_name: z.string().nullable().describe('Its name, or null.'),
  })
  .describe('What device the identifier belongs to.')
  .refine((m) => m.matched_variant_id === null || m.matched_device_id !== null, 'a variant without its device')
  .meta({ id: 'DeviceMatch' })

const riskFactorSchema = z
  .strictObject({
    code: z
      .string()
      .regex(/^[a-z0-9_]+$/)
      .describe('Stable name of the reason, for example `check_digit_mismatch`.'),
    points: z.int().min(0).max(100).describe('What it adds to the score; 0 for a remark.'),
    message: z.string().min(1).describe('The reason as a sentence.'),
    source: z.string().min(1).describe('Who said so: a source, or `identifier` for what the identifier itself shows.'),
    observed_at: instant.nullable().describe('When the source saw it, or null.'),
  })
  .describe('One reason for the score.')
  .meta({ id: 'RiskFactor' })

export const clearanceSchema = z
  .strictObject({
    source: z.string().min(1).describe('Who cleared it: `registry` for imported lists, or an outside source.'),
    list: z
      .string()
      .min(1)
      .nullable()
      .describe('Name of the list it is not on, or null where the source does not say.'),
    area: z.string().min(1).nullable().describe('Where the silence of that list means something, or null.'),
    entries: z.int().min(0).nullable().describe('How many identifiers the list holds, or null.'),
    updated_at: instant
      .nullable()
      .describe('When the list was imported last; for an outside source, when it answered.'),
  })
  .describe('What a `clean` rests on.')
  .meta({ id: 'Clearance' })

const lookupFields = {
  lookup_id: z
    .string()
    .regex(/^lkp_[0-9A-Za-z]+$/)
    .describe('Identifier of this lookup; sorts by time.'),
  identifier: z.string().min(1).describe('The identifier as it was sent.'),
  identifier_type: z.enum(IDENTIFIER_TYPES).describe('The type as it was sent or recognised.'),
  timestamp: instant.describe('When the lookup was made.'),
  device_match: deviceMatchSchema,
  blacklist_status: z
    .enum(BLACKLIST_STATUSES)
    .describe('`clean` only if a source that covers the list answered (`cleared_by` names it); otherwise `unknown`.'),
  carrier_lock: z.enum(CARRIER_LOCKS).describe('Whether the device is bound to a carrier.'),
  carrier_name: z.string().nullable().describe('The carrier, or null.'),
  risk_score: percent.describe('0 to 100, higher is worse: the sum of `risk_factors[].points`, capped at 100.'),
  risk_level: z.enum(RISK_LEVELS).describe('low 0–24, medium 25–49, high 50–74, critical 75–100.'),
  gsma_status: z.enum(GSMA_STATUSES).describe("Status on the GSMA's list."),
  ctia_status: z.enum(CTIA_STATUSES).describe("Status on the CTIA's stolen phone list."),
  reported_lost_stolen: z.boolean().describe('True only on evidence; false is not proof of the contrary.'),
  activation_lock: z.boolean().describe('True only on evidence; false is not proof of the contrary.'),
  source: z
    .string()
    .regex(/^[a-z0-9_-]+(?:\+[a-z0-9_-]+)*$/)
    .describe('Names of the sources that answered, joined by `+`; `none` if none did.'),
  freshness: z
    .enum(FRESHNESS)
    .describe('Age of the facts: asked just now, from the cache, or too old but all there is.'),
  cache_age_minutes: z
    .int()
    .min(0)
    .nullable()
    .describe('Age of the oldest cached fact; null exactly when `real-time`.'),
  risk_factors: z.array(riskFactorSchema).describe('Every reason for the score; anyone can recompute it from them.'),
}

/** What answers say since version 0.2; records made before do not have it. */
const addedFields = {
  cleared_by: z
    .array(clearanceSchema)
    .describe('What every `clean` of this answer rests on; empty exactly when no status is `clean`.'),
  recommendation: z
    .enum(RECOMMENDATIONS)
    .describe(
      'What to do next: `recheck_identifier` whenever the identifier was probably mistyped, whatever the score; otherwise low risk is `buy`, medium `inspect`, high and critical `reject`.',
    ),
  suggested_identifiers: z
    .array(z.string().min(1))
    .describe('What was probably meant, likeliest first; empty when nothing suggests itself.'),
}

type LookupFields = z.infer<z.ZodObject<typeof lookupFields>>

function isScoreConsistent({ risk_score: score, risk_factors: factors }: LookupFields): boolean {
  return (
    score ===
    Math.min(
      100,
      factors.reduce((sum, factor) => sum + factor.points, 0),
    )
  )
}

function hasCleanStatus({ blacklist_status, gsma_status, ctia_status }: LookupFields): boolean {
  return [blacklist_status, gsma_status, ctia_status].includes('clean')
}

/** The rules between the fields of an answer, whenever it was made. */
function withConsistencyChecks<Schema extends z.ZodType<LookupFields>>(schema: Schema): Schema {
  return schema
    .refine((r) => r.risk_level === riskLevelOf(r.risk_score), 'risk_level contradicts risk_score')
    .refine(isScoreConsistent, 'risk_score is not the capped sum of the factors')
    .refine((r) => (r.freshness === 'real-time') === (r.cache_age_minutes === null), 'freshness contradicts its age')
    .refine((r) => r.source !== 'none' || r.blacklist_status !== 'clean', 'clean although no source answered')
}

export const lookupResultSchema = withConsistencyChecks(z.strictObject({ ...lookupFields, ...addedFields }))
  .refine(
    (r) => hasCleanStatus(r) === r.cleared_by.length > 0,
    'clean without what cleared it, or cleared without being clean',
  )
  .refine(
    (r) => r.suggested_identifiers.length === 0 || r.recommendation === 'recheck_identifier',
    'a suggestion without asking to look again',
  )
  .refine((r) => r.recommendation !== 'buy' || r.risk_level === 'low', 'buy although the risk is not low')
  .meta({
    id: 'IMEILookupResult',
    description: 'What is known about one device by its identifier, and how risky it is to buy.',
  })

/** An answer as it was given at its time: the fields that came later are missing from older ones. */
export const lookupRecordSchema = withConsistencyChecks(
  z.strictObject({ ...lookupFields, ...z.object(addedFields).partial().shape }),
).meta({
  id: 'IMEILookupRecord',
  description:
    'An answer as it was given at its time. Records made before version 0.2 lack `cleared_by`, `recommendation` and `suggested_identifiers`, and are otherwise alike.',
})

const BATCH_EXPECTED = `an array of 1 to ${LOOKUP_BATCH_MAX_ITEMS} lookups`

/** The items are read one by one with `lookupRequestSchema`: each is accepted or refused for itself. */
export const lookupBatchRequestSchema = z
  .object(
    {
      items: z
        .array(z.unknown(), { error: BATCH_EXPECTED })
        .min(1, BATCH_EXPECTED)
        .max(LOOKUP_BATCH_MAX_ITEMS, BATCH_EXPECTED)
        .meta({
          description: `1 to ${LOOKUP_BATCH_MAX_ITEMS} identifiers. Each counts as one request against the limit.`,
          override: ({ jsonSchema }) => {
            jsonSchema.items = { $ref: '#/components/schemas/IMEILookupRequest' }
          },
        }),
    },
    { error: BATCH_EXPECTED },
  )
  .meta({ id: 'IMEIBatchRequest', description: 'The identifiers to assess.' })

/** What a batch counts for: every item, whether it turns out well or not. */
export function lookupBatchCost(body: unknown): number {
  const items = typeof body === 'object' && body !== null ? (body as { items?: unknown }).items : undefined
  return Array.isArray(items) ? Math.min(LOOKUP_BATCH_MAX_ITEMS, Math.max(1, items.length)) : 1
}

export const lookupBatchItemSchema = batchItemSchema(lookupResultSchema, 'IMEIBatchItem')

export type LookupRequestWire = z.output<typeof lookupRequestSchema>
export type ClearanceWire = z.infer<typeof clearanceSchema>
export type LookupResultWire = z.infer<typeof lookupResultSchema>
export type LookupRecordWire = z.infer<typeof lookupRecordSchema>
export type LookupBatchItemWire = z.infer<typeof lookupBatchItemSchema>
