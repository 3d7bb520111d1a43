/** Categories and guides as the repair wiki hands them out, read into facts. Nothing but the fields below is looked at. */
import { z } from 'zod'
import type { PartFact, RepairFact } from '../../repair/fact.ts'
import type { FaultKind } from '../../repair/kind.ts'
import { faultOfWords, minutesOfSeconds, partOfWords, readDifficulty, readMinutes } from './guide-words.ts'

const words = z.string().trim().max(500)
const seconds = z.number().min(0).max(10_000_000).nullish()
const thing = z.object({ text: words, isoptional: z.boolean().nullish() })

const guideSchema = z.object({
  guideid: z.union([z.int(), z.string().max(40)]),
  type: words.nullish(),
  category: words.nullish(),
  subject: words.nullish(),
  title: words.nullish(),
  difficulty: words.nullish(),
  time_required: z.union([words, z.number()]).nullish(),
  time_required_min: seconds,
  time_required_max: seconds,
  url: z.string().max(2000).nullish(),
  modified_date: z.number().min(0).nullish(),
  tools: z.array(thing).max(200).nullish(),
  parts: z.array(thing).max(200).nullish(),
})

const score = z.number().min(0).max(10)
const categorySchema = z.object({
  wiki_title: words.nullish(),
  display_title: words.nullish(),
  title: words.nullish(),
  repairability_score: score.nullish(),
  repairability: z.union([score, z.object({ score: score.nullish() })]).nullish(),
  modified_date: z.number().min(0).nullish(),
  guides: z.array(z.unknown()).max(5000).nullish(),
})

export type Guide = {
  readonly kind: 'guide'
  readonly id: string
  readonly about: string
  readonly repair: RepairFact
  readonly tools: readonly string[]
  readonly modifiedAt: number | null
}
type CategoryScore = {
  readonly kind: 'score'
  readonly about: string
  readonly value: number
  readonly modifiedAt: number | null
}
type Unread = { readonly kind: 'unread'; readonly reason: string; readonly detail: string }
export type WikiItem = Guide | CategoryScore | Unread

export const NOT_WIKI = 'neither a guide nor a category'

/** Guides that mend something; a teardown or a technique is no repair. */
const REPAIR_TYPES = new Set(['', 'replacement', 'repair', 'installation', 'maintenance'])

/** Whatever the document holds: one guide, one category with its guides, a list of either, or a page of results. */
export function readWiki(json: unknown, about: string | null = null): WikiItem[] {
  if (Array.isArray(json)) return json.flatMap((each) => readWiki(each, about))
  if (typeof json !== 'object' || json === null) return [unread(NOT_WIKI, '')]
  if ('guideid' in json) return [readGuide(json, about)]
  if ('results' in json && Array.isArray(json.results)) return readWiki(json.results, about)
  return readCategory(json)
}

function readCategory(json: object): WikiItem[] {
  const read = categorySchema.safeParse(json)
  if (!read.success) return [unread(NOT_WIKI, problem(read.error))]
  const { wiki_title, display_title, title, repairability_score, repairability, guides, modified_date } = read.data
  const about = wiki_title || title || display_title || ''
  if (!about) return [unread(NOT_WIKI, 'no title')]
  const given =
    repairability_score ?? (typeof repairability === 'object' ? repairability?.score : repairability) ?? null
  const items = (guides ?? []).flatMap((guide) => readWiki(guide, about))
  if (given === null) return items
  // Half points were given for a while; ours are whole, and a device is never made out easier than it is.
  return [{ kind: 'score', about, value: Math.floor(given), modifiedAt: instant(modified_date) }, ...items]
}

function readGuide(json: object, within: string | null): WikiItem {
  const read = guideSchema.safeParse(json)
  if (!read.success) return unread('guide is not in order', problem(read.error))
  const guide = read.data
  const about = guide.category || within || ''
  const label = `${guide.title || guide.subject || `guide ${guide.guideid}`}`
  if (!about) return unread('guide names no device', label)
  if (!REPAIR_TYPES.has((guide.type ?? '').toLowerCase())) return unread('guide is not about a repair', label)
  const fault = faultOfWords(guide.subject || '') ?? faultOfWords((guide.title || '').replace(about, ' '))
  if (!fault) return unread('guide repairs something we do not know', label)
  return {
    kind: 'guide',
    id: String(guide.guideid),
    about,
    repair: {
      kind: fault,
      name: null,
      difficulty: readDifficulty(guide.difficulty ?? ''),
      minutes: minutesOf(guide),
      parts: partsOf(guide, fault),
      guideUrl: webAddress(guide.url),
    },
    tools: needed(guide.tools),
    modifiedAt: instant(guide.modified_date),
  }
}

function minutesOf({
  time_required,
  time_required_min,
  time_required_max,
}: z.infer<typeof guideSchema>): number | null {
  const exact = minutesOfSeconds(time_required_min ?? null, time_required_max ?? null)
  if (exact !== null) return exact
  if (typeof time_required === 'number') return minutesOfSeconds(time_required, null)
  return time_required ? readMinutes(time_required) : null
}

/** The part that gives the repair its name, and what else it takes; the wiki knows no prices. */
function partsOf({ parts }: z.infer<typeof guideSchema>, fault: FaultKind): PartFact[] {
  const named = new Map<string, PartFact>()
  for (const name of needed(parts)) {
    const kind = partOfWords(name)
    const key = kind === 'other' || kind === fault ? `${kind} ${name}` : kind
    if (!named.has(key)) named.set(key, { kind, name, cost: null, availability: null })
  }
  return [...named.values()]
}

function needed(things: readonly z.infer<typeof thing>[] | null | undefined): string[] {
  return (things ?? []).filter((each) => each.text && !each.isoptional).map((each) => each.text)
}

function webAddress(text: string | null | undefined): string | null {
  if (!text || !URL.canParse(text)) return null
  return /^https?:$/.test(new URL(text).protocol) ? text : null
}

/** The wiki counts seconds. */
function instant(modified: number | null | undefined): number | null {
  return modified ? Math.round(modified * 1000) : null
}

function unread(reason: string, detail: string): Unread {
  return { kind: 'unread', reason, detail }
}

function problem(error: z.ZodError): string {
  const [issue] = error.issues
  return issue ? `${issue.path.join('.')}: ${issue.message}` : ''
}
