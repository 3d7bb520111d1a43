/** Parses categories and guides of the repair wiki into facts. Only the fields below are read. */
import { z } from 'zod'
import type { RejectionCode } from '../../lib/rejections.ts'
import type { FaultKind } from '../../repairs/fault-kinds.ts'
import type { PartFact, RepairFact } from '../../repairs/repair-fact.ts'
import { detectFault, detectPart, parseDifficulty, parseMinutes, secondsToMinutes } from './guide-phrases.ts'

const textSchema = z.string().trim().max(500)
const secondsSchema = z.number().min(0).max(10_000_000).nullish()
const toolOrPartSchema = z.object({ text: textSchema, isoptional: z.boolean().nullish() })

const guideSchema = z.object({
  guideid: z.union([z.int(), z.string().max(40)]),
  type: textSchema.nullish(),
  category: textSchema.nullish(),
  subject: textSchema.nullish(),
  title: textSchema.nullish(),
  difficulty: textSchema.nullish(),
  time_required: z.union([textSchema, z.number()]).nullish(),
  time_required_min: secondsSchema,
  time_required_max: secondsSchema,
  url: z.string().max(2000).nullish(),
  modified_date: z.number().min(0).nullish(),
  tools: z.array(toolOrPartSchema).max(200).nullish(),
  parts: z.array(toolOrPartSchema).max(200).nullish(),
})

const scoreSchema = z.number().min(0).max(10)
const categorySchema = z.object({
  wiki_title: textSchema.nullish(),
  display_title: textSchema.nullish(),
  title: textSchema.nullish(),
  repairability_score: scoreSchema.nullish(),
  repairability: z.union([scoreSchema, z.object({ score: scoreSchema.nullish() })]).nullish(),
  modified_date: z.number().min(0).nullish(),
  guides: z.array(z.unknown()).max(5000).nullish(),
})

export type RepairGuide = {
  readonly kind: 'guide'
  readonly id: string
  readonly deviceName: string
  readonly repair: RepairFact
  readonly tools: readonly string[]
  readonly modifiedAt: number | null
}
type CategoryScore = {
  readonly kind: 'score'
  readonly deviceName: string
  readonly value: number
  readonly modifiedAt: number | null
}
type UnreadableItem = { readonly kind: 'unread'; readonly reason: RejectionCode; readonly detail: string }
export type WikiItem = RepairGuide | CategoryScore | UnreadableItem

export const NOT_A_REPAIR_WIKI = 'not_a_repair_wiki'

/** Guides about a repair; a teardown or a technique is not one. */
const REPAIR_TYPES = new Set(['', 'replacement', 'repair', 'installation', 'maintenance'])

/** Accepts one guide, one category with its guides, a list of either, or a page of results. */
export function parseRepairWiki(json: unknown, deviceName: string | null = null): WikiItem[] {
  if (Array.isArray(json)) return json.flatMap((element) => parseRepairWiki(element, deviceName))
  if (typeof json !== 'object' || json === null) return [unreadableItem(NOT_A_REPAIR_WIKI, '')]
  if ('guideid' in json) return [parseGuide(json, deviceName)]
  if ('results' in json && Array.isArray(json.results)) return parseRepairWiki(json.results, deviceName)
  return parseCategory(json)
}

function parseCategory(json: object): WikiItem[] {
  const parsed = categorySchema.safeParse(json)
  if (!parsed.success) return [unreadableItem(NOT_A_REPAIR_WIKI, firstIssue(parsed.error))]
  const { wiki_title, display_title, title, repairability_score, repairability, guides, modified_date } = parsed.data
  const deviceName = wiki_title || title || display_title || ''
  if (!deviceName) return [unreadableItem(NOT_A_REPAIR_WIKI, 'no title')]
  const score =
    repairability_score ?? (typeof repairability === 'object' ? repairability?.score : repairability) ?? null
  const items = (guides ?? []).flatMap((guide) => parseRepairWiki(guide, deviceName))
  if (score === null) return items
  // The wiki once gave half points. They are rounded down, so that no device appears easier to repair than it is.
  return [{ kind: 'score', deviceName, value: Math.floor(score), modifiedAt: toMilliseconds(modified_date) }, ...items]
}

function parseGuide(json: object, categoryName: string | null): WikiItem {
  const parsed = guideSchema.safeParse(json)
  if (!parsed.success) return unreadableItem('guide_invalid', firstIssue(parsed.error))
  const guide = parsed.data
  const deviceName = guide.category || categoryName || ''
  const label = `${guide.title || guide.subject || `guide ${guide.guideid}`}`
  if (!deviceName) return unreadableItem('guide_without_device', label)
  if (!REPAIR_TYPES.has((guide.type ?? '').toLowerCase())) return unreadableItem('guide_not_a_repair', label)
  const fault = detectFault(guide.subject || '') ?? detectFault((guide.title || '').replace(deviceName, ' '))
  if (!fault) return unreadableItem('guide_unknown_part', label)
  return {
    kind: 'guide',
    id: String(guide.guideid),
    deviceName,
    repair: {
      kind: fault,
      name: null,
      difficulty: parseDifficulty(guide.difficulty ?? ''),
      minutes: guideMinutes(guide),
      parts: guideParts(guide, fault),
      guideUrl: parseUrl(guide.url),
    },
    tools: requiredNames(guide.tools),
    modifiedAt: toMilliseconds(guide.modified_date),
  }
}

function guideMinutes({
  time_required,
  time_required_min,
  time_required_max,
}: z.infer<typeof guideSchema>): number | null {
  const exact = secondsToMinutes(time_required_min ?? null, time_required_max ?? null)
  if (exact !== null) return exact
  if (typeof time_required === 'number') return secondsToMinutes(time_required, null)
  return time_required ? parseMinutes(time_required) : null
}

/** The parts that a repair needs; the wiki has no prices. */
function guideParts({ parts }: z.infer<typeof guideSchema>, fault: FaultKind): PartFact[] {
  const partsByKey = new Map<string, PartFact>()
  for (const name of requiredNames(parts)) {
    const kind = detectPart(name)
    const key = kind === 'other' || kind === fault ? `${kind} ${name}` : kind
    if (!partsByKey.has(key)) partsByKey.set(key, { kind, name, cost: null, availability: null })
  }
  return [...partsByKey.values()]
}

function requiredNames(items: readonly z.infer<typeof toolOrPartSchema>[] | null | undefined): string[] {
  return (items ?? []).filter((item) => item.text && !item.isoptional).map((each) => each.text)
}

function parseUrl(text: string | null | undefined): string | null {
  if (!text || !URL.canParse(text)) return null
  return /^https?:$/.test(new URL(text).protocol) ? text : null
}

/** The wiki uses seconds. */
function toMilliseconds(modified: number | null | undefined): number | null {
  return modified ? Math.round(modified * 1000) : null
}

function unreadableItem(reason: RejectionCode, detail: string): UnreadableItem {
  return { kind: 'unread', reason, detail }
}

function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues
  return issue ? `${issue.path.join('.')}: ${issue.message}` : ''
}
