import { z } from 'zod'
import { batchRequest } from './batch.ts'
import { batchItemSchema } from './errors.ts'
import { authorSchema, component, instant, optionalField, percent, slugValue } from './values.ts'

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

/** In any letter case; `serial_number` means `serial`, and null counts as absent. */
function normalizeType(sent: unknown): unknown {
  if (sent === null) return undefined
  const word = typeof sent === 'string' ? sent.trim().toLowerCase() : sent
  return word === 'serial_number' ? 'serial' : word
}

const MODEL_MAX_LENGTH = 400
const MODEL_EXPECTED = `a device id or a title of at most ${MODEL_MAX_LENGTH} characters`
const IDENTIFIER_EXPECTED = 'an IMEI, MEID, ESN or serial number as text'
const SECOND_IDENTIFIER_EXPECTED = 'the second IMEI of the device as text'
const NOT_A_NUMBER = 'text in quotation marks; a JSON number loses leading zeros and the digits beyond the fifteenth'

export const lookupRequestSchema = z
  .object(
    {
      identifier: z
        .string({ error: ({ input }) => (typeof input === 'number' ? NOT_A_NUMBER : IDENTIFIER_EXPECTED) })
        .meta({
          description:
            'IMEI, IMEISV, MEID, ESN or serial number, as text. Spaces, dots, dashes and slashes are ignored; the text is returned as sent.',
          override: { minLength: 1 },
        }),
      second_identifier: optionalField(z.string({ error: SECOND_IDENTIFIER_EXPECTED })).meta({
        description: 'Second IMEI of a dual-SIM device; `identifier` may also be `A / B`.',
      }),
      identifier_type: z
        .preprocess(
          normalizeType,
          z.enum(IDENTIFIER_TYPES, { error: `one of ${IDENTIFIER_TYPES.join(', ')}` }).optional(),
        )
        .meta({
          description:
            'Kind of identifier, in any letter case; `serial_number` means `serial`. Absent: recognised from the identifier.',
          override: { type: 'string', enum: [...IDENTIFIER_TYPES, 'serial_number'] },
        }),
      model: optionalField(z.string({ error: MODEL_EXPECTED }).max(MODEL_MAX_LENGTH, MODEL_EXPECTED)).meta({
        description:
          'Model of the device in hand, as a device id or a title. If it names one model, later lookups recognise devices with the same type allocation code (TAC). A model that is not recognised is ignored and reported as risk factor `stated_model_unknown` (0 points).',
      }),
    },
    { error: 'a JSON object with an identifier' },
  )
  .meta({ id: 'IMEILookupRequest', description: 'The identifier to assess. Unknown fields are ignored.' })

const deviceMatchSchema = z
  .strictObject({
    confidence: percent.describe('Confidence of the match in percent; 0 without a match.'),
    matched_device_id: slugValue.nullable().describe('Device, or null.'),
    matched_device_name: z.string().nullable().describe('Its name, or null.'),
    matched_variant_id: slugValue.nullable().describe('Variant, or null: a TAC alone never identifies one.'),
    matched_variant_name: z.string().nullable().describe('Its name, or null.'),
  })
  .describe('The device that the identifier belongs to.')
  .refine((m) => m.matched_variant_id === null || m.matched_device_id !== null, 'a variant without its device')
  .meta({ id: 'DeviceMatch' })

const riskFactorSchema = component('RiskFactor', 'One reason for the score.', {
  code: z
    .string()
    .regex(/^[a-z0-9_]+$/)
    .describe('Stable code, for example `check_digit_mismatch`.'),
  points: z.int().min(0).max(100).describe('Points added to the score; 0 for a remark.'),
  message: z.string().min(1).describe('Human-readable reason.'),
  source: z.string().min(1).describe('Name of the source, or `identifier` for findings from the identifier itself.'),
  observed_at: instant.nullable().describe('Time of the observation, or null.'),
})

export const clearanceSchema = component('Clearance', 'Evidence for a `clean` status.', {
  source: z.string().min(1).describe('`registry` for imported lists, or the name of an outside source.'),
  list: z
    .string()
    .min(1)
    .nullable()
    .describe('Name of the list that does not contain the identifier; null if unknown.'),
  area: z.string().min(1).nullable().describe('Area covered by the list, or null.'),
  entries: z.int().min(0).nullable().describe('Number of identifiers on the list, or null.'),
  updated_at: instant.nullable().describe('Time of the last import; for an outside source, time of its response.'),
})

const evidenceSchema = component('CheckEvidence', 'Reference of a check at an outside source.', {
  source: z.string().min(1).describe('Name of the outside source.'),
  evidence_id: z.string().min(1).max(200).describe('Reference of the check at the source.'),
  checked_at: instant.describe('Time of the check.'),
})

const lookupFields = {
  lookup_id: z
    .string()
    .regex(/^lkp_[0-9A-Za-z]+$/)
    .describe('Identifier of this lookup; sorts by time.'),
  identifier: z.string().min(1).describe('The identifier as sent; of a text with two IMEIs the first.'),
  second_identifier: z
    .string()
    .min(1)
    .optional()
    .describe('Second IMEI of a dual-SIM device, checked as well. Absent if none was sent.'),
  identifier_type: z.enum(IDENTIFIER_TYPES).describe('Identifier type, as sent or recognized.'),
  timestamp: instant.describe('Time of the lookup.'),
  device_match: deviceMatchSchema,
  blacklist_status: z
    .enum(BLACKLIST_STATUSES)
    .describe('`clean` only if a source that covers the list answered (`cleared_by` names it); otherwise `unknown`.'),
  carrier_lock: z.enum(CARRIER_LOCKS).describe('Whether the device is locked to a carrier.'),
  carrier_name: z.string().nullable().describe('The carrier, or null.'),
  risk_score: percent.describe('0 to 100, higher is worse: the sum of `risk_factors[].points`, capped at 100.'),
  risk_level: z.enum(RISK_LEVELS).describe('low 0–24, medium 25–49, high 50–74, critical 75–100.'),
  gsma_status: z.enum(GSMA_STATUSES).describe("Status on the GSMA's list."),
  ctia_status: z.enum(CTIA_STATUSES).describe("Status on the CTIA's stolen phone list."),
  reported_lost_stolen: z.boolean().describe('True only on evidence; false does not prove the contrary.'),
  activation_lock: z.boolean().describe('True only on evidence; false does not prove the contrary.'),
  source: z
    .string()
    .regex(/^[a-z0-9_-]+(?:\+[a-z0-9_-]+)*$/)
    .describe('Names of the sources that responded, joined by `+`; `none` if none did.'),
  freshness: z
    .enum(FRESHNESS)
    .describe('Age of the facts: queried now, cached, or stale because the source is unavailable.'),
  cache_age_minutes: z
    .int()
    .min(0)
    .nullable()
    .describe('Age of the oldest cached fact; null exactly when `real-time`.'),
  risk_factors: z.array(riskFactorSchema).describe('All reasons for the score; their points add up to it.'),
  cleared_by: z
    .array(clearanceSchema)
    .describe('Evidence for each `clean` status; empty exactly if no status is `clean`.'),
  evidence: z
    .array(evidenceSchema)
    .min(1)
    .optional()
    .describe('References of the checks at the outside sources. Absent if no source gave one.'),
  recommendation: z
    .enum(RECOMMENDATIONS)
    .describe(
      'Recommended action: `recheck_identifier` if the identifier is probably mistyped, whatever the score; otherwise `buy` at low, `inspect` at medium, `reject` at high and critical risk.',
    ),
  suggested_identifiers: z
    .array(z.string().min(1))
    .describe('Probable corrections of a mistyped identifier, most likely first; may be empty.'),
  created_by: authorSchema.describe('Who made the lookup.'),
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

export const lookupResultSchema = z
  .strictObject(lookupFields)
  .refine((r) => r.risk_level === riskLevelOf(r.risk_score), 'risk_level contradicts risk_score')
  .refine(isScoreConsistent, 'risk_score is not the capped sum of the factors')
  .refine((r) => (r.freshness === 'real-time') === (r.cache_age_minutes === null), 'freshness contradicts its age')
  .refine((r) => r.source !== 'none' || r.blacklist_status !== 'clean', 'clean although no source answered')
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
    description: 'Facts and risk assessment of one device by its identifier.',
  })

export const lookupBatchRequestSchema = batchRequest({
  id: 'IMEIBatchRequest',
  description: 'The identifiers to assess.',
  field: 'items',
  max: LOOKUP_BATCH_MAX_ITEMS,
  kind: 'lookups',
  contents: 'identifiers. Each counts as one request against the limit.',
  itemId: 'IMEILookupRequest',
  item: lookupRequestSchema,
})

export const lookupBatchItemSchema = batchItemSchema(lookupResultSchema, 'IMEIBatchItem')

export type LookupRequestWire = z.output<typeof lookupRequestSchema>
export type EvidenceWire = z.infer<typeof evidenceSchema>
export type ClearanceWire = z.infer<typeof clearanceSchema>
export type LookupResultWire = z.infer<typeof lookupResultSchema>
export type LookupBatchItemWire = z.infer<typeof lookupBatchItemSchema>
