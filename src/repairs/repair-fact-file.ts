import { z } from 'zod'
import { PART_AVAILABILITIES, REPAIR_DIFFICULTIES } from '../contract/repair.ts'
import { startOfDay } from '../lib/time.ts'
import { FACT_LEVELS, FAULT_KINDS, PART_KINDS } from './fault-kinds.ts'
import type { FactRecord, PartFact, RepairFact } from './repair-fact.ts'
import { REPAIR_NOTE_CODES } from './repair-notes.ts'

/**
 * Our format of repair facts, bundled and imported. A record may apply to several subjects; `availability` of a repair refers to
 * the part that the repair is named after.
 */
const cents = z.int().min(0).max(100_000_000)
const text = z.string().trim().min(1).max(500)
/** A note whose sentence names models; other notes are a code of `repair-notes.ts` or free text. */
const codedNote = z.strictObject({ code: z.enum(REPAIR_NOTE_CODES), models: text })
const guideUrl = z.url({ protocol: /^https?$/ }).max(2000)

/** Costs in the wrong unit: no part of a device costs more, and none of these costs less. */
const MOST_CENTS = 500_000
const LEAST_CENTS = 200
const NEVER_CHEAPER: ReadonlySet<string> = new Set(['screen', 'battery', 'board', 'camera', 'keyboard', 'hinge'])
const UNIT = 'costs are in cents: 12900 is $129.00'

const partSchema = z
  .strictObject({
    kind: z.enum(PART_KINDS).optional(),
    name: text.optional(),
    cost_min: cents.optional(),
    cost_max: cents.optional(),
    currency: z.literal('USD').optional(),
    availability: z.enum(PART_AVAILABILITIES).optional(),
  })
  .refine((part) => part.kind !== undefined || part.name !== undefined, 'a part needs a kind or a name')
  .refine((part) => (part.cost_min === undefined) === (part.cost_max === undefined), 'a cost has two ends')
  .refine((part) => (part.cost_min ?? 0) <= (part.cost_max ?? 0), 'cost_min is above cost_max')
  .refine((part) => (part.cost_max ?? 0) <= MOST_CENTS, `cost_max is above $5,000.00; ${UNIT}`)
  .refine(
    ({ kind = '', cost_max: cost }) => !cost || cost >= LEAST_CENTS || !NEVER_CHEAPER.has(kind),
    `cost_max is below $2.00; ${UNIT}`,
  )

const repairSchema = z.strictObject({
  kind: z.enum(FAULT_KINDS),
  name: text.optional(),
  difficulty: z.enum(REPAIR_DIFFICULTIES).optional(),
  minutes: z.int().min(1).max(10_000).optional(),
  availability: z.enum(PART_AVAILABILITIES).optional(),
  parts: z.array(partSchema).max(50).optional(),
  guide_url: guideUrl.nullable().optional(),
})

const recordSchema = z
  .strictObject({
    level: z.enum(FACT_LEVELS),
    subject: text.optional(),
    subjects: z.array(text).min(1).max(500).optional(),
    score: z.int().min(0).max(10).nullable().optional(),
    rubric_year: z.int().min(2000).max(2100).nullable().optional(),
    repairs: z.array(repairSchema).max(50).optional(),
    failure_points: z
      .array(z.strictObject({ fault: z.enum(FAULT_KINDS), text }))
      .max(50)
      .optional(),
    notes: z
      .array(z.union([text, codedNote]))
      .max(50)
      .optional(),
    proprietary_parts: z.array(text).max(50).optional(),
    special_tools: z.array(text).max(50).optional(),
    without: z.array(z.enum(FAULT_KINDS)).max(50).optional(),
  })
  .refine((record) => (record.subject === undefined) !== (record.subjects === undefined), 'name a subject or subjects')

export const FACT_FORMAT = 'device-intelligence/repairs/1'

const factFileSchema = z.strictObject({
  format: z.literal(FACT_FORMAT),
  source: text,
  updated_on: z.iso.date(),
  records: z.array(z.unknown()),
})

export type FactFileProblem = { readonly record: number; readonly message: string }
export type FactFile = {
  readonly source: string
  readonly records: readonly FactRecord[]
  readonly problems: readonly FactFileProblem[]
}

/** Skips and reports invalid records; rejects a file in another format as a whole, with the reason. */
export function parseFactFile(json: unknown): FactFile | { readonly rejected: string } {
  const file = factFileSchema.safeParse(json)
  if (!file.success) return { rejected: validationMessage(file.error) }
  const origin = { source: file.data.source, updatedAt: startOfDay(file.data.updated_on) }
  const records: FactRecord[] = []
  const problems: FactFileProblem[] = []
  for (const [index, raw] of file.data.records.entries()) {
    const record = recordSchema.safeParse(raw)
    if (record.success) records.push(...toFactRecords(record.data, origin))
    else problems.push({ record: index + 1, message: validationMessage(record.error) })
  }
  return { source: origin.source, records, problems }
}

/** For the bundled files, which tests validate: validating them at startup would slow every start. */
export function parseTrustedFactFile(json: unknown): FactRecord[] {
  const file = json as z.infer<typeof factFileSchema>
  const origin = { source: file.source, updatedAt: startOfDay(file.updated_on) }
  return file.records.flatMap((raw) => toFactRecords(raw as z.infer<typeof recordSchema>, origin))
}

function toFactRecords(
  raw: z.infer<typeof recordSchema>,
  origin: Pick<FactRecord, 'source' | 'updatedAt'>,
): FactRecord[] {
  const facts = {
    ...origin,
    level: raw.level,
    score: typeof raw.score === 'number' ? { value: raw.score, rubricYear: raw.rubric_year ?? null } : null,
    repairs: (raw.repairs ?? []).map(toRepairFact),
    failurePoints: raw.failure_points ?? [],
    notes: raw.notes ?? [],
    proprietaryParts: raw.proprietary_parts ?? null,
    specialTools: raw.special_tools ?? null,
    without: raw.without ?? [],
  }
  return (raw.subjects ?? [raw.subject ?? '']).map((subject) => ({ ...facts, subject }))
}

function toRepairFact(raw: z.infer<typeof repairSchema>): RepairFact {
  const parts: PartFact[] = (raw.parts ?? []).map((part) => ({
    kind: part.kind ?? 'other',
    name: part.name ?? null,
    cost:
      part.cost_min === undefined || part.cost_max === undefined
        ? null
        : { minCents: part.cost_min, maxCents: part.cost_max },
    availability: part.availability ?? null,
  }))
  if (raw.availability) parts.push({ kind: raw.kind, name: null, cost: null, availability: raw.availability })
  return {
    kind: raw.kind,
    name: raw.name ?? null,
    difficulty: raw.difficulty ?? null,
    minutes: raw.minutes ?? null,
    parts,
    guideUrl: raw.guide_url ?? null,
  }
}

function validationMessage(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => (issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : issue.message))
    .join('; ')
}
