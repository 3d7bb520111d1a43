import { z } from 'zod'
import { conditionSchema } from './conditions.ts'
import { parseCount } from './paging.ts'
import { readFieldSchema, unreadWordsSchema } from './text-reading.ts'
import { percent, slugValue } from './values.ts'
import { attributeSchema } from './variant.ts'

const MATCH_TEXT_MAX_LENGTH = 300
const MATCH_LIMIT = { default: 5, maximum: 20 } as const
const MATCH_DECISIONS = ['matched', 'ambiguous', 'unknown'] as const

export const matchQuerySchema = z.object({
  text: z
    .string({ error: 'the name of a device or the title of a listing' })
    .max(MATCH_TEXT_MAX_LENGTH, `at most ${MATCH_TEXT_MAX_LENGTH} characters`)
    .describe(
      `Listing title, model name, model number, model identifier or part number; at most ${MATCH_TEXT_MAX_LENGTH} characters.`,
    ),
  make: z.string().optional().describe('Manufacturer, if known. Only its devices can match.'),
  limit: z
    .string()
    .optional()
    .transform((text) => parseCount(text, MATCH_LIMIT.default, MATCH_LIMIT.maximum))
    .meta({
      description: `Maximum number of candidates, at most ${MATCH_LIMIT.maximum}. Larger values count as ${MATCH_LIMIT.maximum}, invalid values as ${MATCH_LIMIT.default}.`,
      // No bounds: values outside them are not rejected.
      override: { type: 'integer', default: MATCH_LIMIT.default },
    }),
})

const matchCandidateSchema = z
  .strictObject({
    device_id: slugValue.describe('Device.'),
    device_name: z.string().min(1).describe('Its name.'),
    variant_id: slugValue.nullable().describe('Variant, if exactly one fits; otherwise null.'),
    confidence: percent.describe('Confidence in percent.'),
  })
  .meta({ id: 'MatchCandidate', description: 'A possible device.' })

export const matchSchema = z
  .strictObject({
    text: z.string().describe('The text as it was sent.'),
    decision: z
      .enum(MATCH_DECISIONS)
      .describe(
        '`matched`: exactly one device matches. `ambiguous`: several match, see `candidates`. `unknown`: not in the catalogue, or not a device.',
      ),
    reason: z
      .string()
      .regex(/^[a-z_]+$/)
      .nullable()
      .describe(
        'Why nothing matched, for example `unknown_model`, `accessory`, `for_parts`, `lot`, `make_mismatch`, `incomplete_name` (one candidate, or 4G and 5G versions); null for a match.',
      ),
    device_id: slugValue.nullable().describe('The device, or null.'),
    device_name: z.string().nullable().describe('Its name, or null.'),
    variant_id: slugValue
      .nullable()
      .describe(
        'The only variant of the catalogue that fits, or null. `assumed_attributes` says what the text left open.',
      ),
    variant_name: z.string().nullable().describe('Its name, or null.'),
    confidence: percent.describe('Confidence of the match in percent; 0 without a match.'),
    attributes: z
      .array(attributeSchema)
      .describe(
        'Attributes found in the text, such as storage, ram, color, size, year, chip, graphics, carrier and lock.',
      ),
    assumed_attributes: z
      .array(attributeSchema)
      .describe(
        'Attributes of the variant that the text does not state, such as the color where the catalogue lists only one.',
      ),
    condition: conditionSchema.nullable().describe('Condition grade found in the text, or null.'),
    unmatched_words: z.array(z.string()).describe('Words of the text that were not matched.'),
    name: z.string().describe('The words that name the device, without what was read beside it.'),
    read_from_text: z
      .array(readFieldSchema)
      .describe('What the text states beside the device, as an appraisal reads it.'),
    unread_words: z.array(unreadWordsSchema).describe('Words that may state a fault: a person has to read them.'),
    candidates: z.array(matchCandidateSchema).describe('Possible devices, best first.'),
  })
  .refine((match) => (match.decision === 'matched') === (match.device_id !== null), 'a device exactly when matched')
  .refine((match) => match.variant_id === null || match.device_id !== null, 'a variant without its device')
  .meta({ id: 'Match', description: 'The device named by a text, or why there is none.' })

export type MatchWire = z.infer<typeof matchSchema>
