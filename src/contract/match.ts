import { z } from 'zod'
import { conditionSchema } from './conditions.ts'
import { parseCount } from './paging.ts'
import { percent, slugValue } from './values.ts'
import { attributeSchema } from './variant.ts'

const MATCH_TEXT_MAX_LENGTH = 300
const MATCH_LIMIT = { default: 5, maximum: 20 } as const
const MATCH_DECISIONS = ['matched', 'ambiguous', 'unknown'] as const

export const matchQuerySchema = z.object({
  text: z
    .string({ error: 'the title of a listing, or what somebody calls a device' })
    .max(MATCH_TEXT_MAX_LENGTH, `at most ${MATCH_TEXT_MAX_LENGTH} characters`)
    .describe(
      `A listing's title, a model's name, number or identifier, or a part number; at most ${MATCH_TEXT_MAX_LENGTH} characters.`,
    ),
  make: z.string().optional().describe('Manufacturer, where it is known beside the text. It is never crossed.'),
  limit: z
    .string()
    .optional()
    .transform((text) => parseCount(text, MATCH_LIMIT.default, MATCH_LIMIT.maximum))
    .meta({
      description: `Most candidates to give. Above ${MATCH_LIMIT.maximum} it is taken as ${MATCH_LIMIT.maximum}; anything that is not a whole number of at least 1 counts as ${MATCH_LIMIT.default}; never refused.`,
      override: { type: 'integer', minimum: 1, maximum: MATCH_LIMIT.maximum, default: MATCH_LIMIT.default },
    }),
})

const matchCandidateSchema = z
  .strictObject({
    device_id: slugValue.describe('Device.'),
    device_name: z.string().min(1).describe('Its name.'),
    variant_id: slugValue.nullable().describe('Variant, where a single one fits; else null.'),
    confidence: percent.describe('How well it fits, 0 to 100.'),
  })
  .meta({ id: 'MatchCandidate', description: 'A device that the text may mean.' })

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
        'Why nothing was matched, for example `unknown_model`, `accessory`, `for_parts`, `lot`, `make_mismatch`; null when something was.',
      ),
    device_id: slugValue.nullable().describe('The device, or null.'),
    device_name: z.string().nullable().describe('Its name, or null.'),
    variant_id: slugValue.nullable().describe('The variant, where a single one fits all that was said; else null.'),
    variant_name: z.string().nullable().describe('Its name, or null.'),
    confidence: percent.describe('How sure the match is; 0 when there is none.'),
    attributes: z
      .array(attributeSchema)
      .describe('What was read beside the name: storage, ram, color, size, year, chip, carrier, lock and the like.'),
    condition: conditionSchema.nullable().describe('The grade that the words of the text mean, or null.'),
    unmatched_words: z.array(z.string()).describe('Words that could not be placed.'),
    candidates: z.array(matchCandidateSchema).describe('Devices that it may be, best first.'),
  })
  .refine((match) => (match.decision === 'matched') === (match.device_id !== null), 'a device exactly when matched')
  .refine((match) => match.variant_id === null || match.device_id !== null, 'a variant without its device')
  .meta({ id: 'Match', description: 'What device a text names, or why it names none.' })

export type MatchWire = z.infer<typeof matchSchema>
