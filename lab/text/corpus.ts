/**
 * The labelled texts that the reader learns from, one file per language. Marks in a text name the words of a statement:
 * `[cracked_screen|Display gerissen]`, `[~cracked_screen:past|…]` for words that state no fault of the device, `[?camera|…]` for doubt.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFECT_CODES, type DefectCode } from '../../src/contract/defect-catalogue.ts'
import { LABEL_INDEX, LABELS, type Label, MISSING_ITEMS, REPLACED_PARTS, type Reason } from '../../src/text/labels.ts'

const FOLDER = join(import.meta.dir, 'corpus')

/** A line of the corpus; what is absent is not stated. */
type CorpusLine = {
  readonly text: string
  readonly writer: string
  /** Of an advertisement. */
  readonly source?: string
  readonly kind?: string
  readonly defects?: readonly DefectCode[]
  readonly maybe?: readonly DefectCode[]
  readonly not?: Readonly<Partial<Record<DefectCode, Reason>>>
  readonly battery?: number
  readonly cycles?: number
  readonly lock?: string
  readonly gone?: readonly string[]
  readonly replaced?: readonly { readonly part: string; readonly original: boolean | null }[]
  readonly worn?: string
  readonly worn_at?: readonly string[] | string
  readonly grade?: string
  readonly warranty?: string
  readonly swap?: boolean
  /** Stolen, reported or not paid off. */
  readonly barred?: boolean
  /** A fault that no defect covers. */
  readonly other?: boolean
}

export type Mark = {
  readonly from: number
  readonly to: number
  readonly code: DefectCode
  readonly says: 'present' | 'not' | 'doubtful'
  readonly reason: Reason | null
}

export type LabelledText = {
  readonly language: string
  readonly writer: string
  /** Without marks. */
  readonly text: string
  readonly marks: readonly Mark[]
  readonly kind: string
  readonly defects: ReadonlySet<DefectCode>
  readonly maybe: ReadonlySet<DefectCode>
  readonly battery: number | null
  readonly line: CorpusLine
}

const corpusLanguages = () =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length))
    .sort()

export function readCorpus(): LabelledText[] {
  return corpusLanguages().flatMap((language) => readTexts(join(FOLDER, `${language}.jsonl`), language))
}

/** Texts of these writers are never trained on, nor those of some languages of others: they measure the reader. */
const HELD_WRITERS: ReadonlySet<string> = new Set(['ads-1b', 'ads-2b', 'ads-3', 'exam'])
const HELD_LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  w21: ['lv', 'no', 'sl', 'sv', 'uk'],
  w22: ['pl', 'pt', 'ro', 'sk'],
  w23: ['ja', 'th', 'tr', 'vi', 'zh'],
  w41: ['en'],
  w43: ['et', 'fa', 'fr', 'ru', 'tr'],
}

export const isHeld = ({ writer, language }: LabelledText) =>
  HELD_WRITERS.has(writer) || (HELD_LANGUAGES[writer]?.includes(language) ?? false)

/** Names the corpus that weights were learned from. */
export function corpusHash(): string {
  const hash = createHash('sha256')
  for (const language of corpusLanguages()) hash.update(readFileSync(join(FOLDER, `${language}.jsonl`)))
  return hash.digest('hex').slice(0, 16)
}

export function readTexts(path: string, language?: string): LabelledText[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const parsed = JSON.parse(line)
      return labelledText(parsed, language ?? parsed.lang)
    })
}

const MARK = /\[([~?]?)([a-z_]+)(?::([a-z]+))?\|([^[\]|]*)\]/g

export function labelledText(line: CorpusLine, language: string): LabelledText {
  const marks: Mark[] = []
  let text = ''
  let end = 0
  for (const { 0: whole, 1: sign, 2: code, 3: reason, 4: words = '', index } of line.text.matchAll(MARK)) {
    text += line.text.slice(end, index)
    if (!DEFECT_CODES.includes(code as DefectCode))
      throw new Error(`Unknown defect "${code}" in "${line.text.slice(0, 80)}"`)
    const says = sign === '~' ? 'not' : sign === '?' ? 'doubtful' : 'present'
    marks.push({
      from: text.length,
      to: text.length + words.length,
      code: code as DefectCode,
      says,
      reason: (reason as Reason) ?? null,
    })
    text += words
    end = index + whole.length
  }
  text += line.text.slice(end)
  const marked = (says: Mark['says']) => marks.filter((mark) => mark.says === says).map(({ code }) => code)
  return {
    language,
    writer: line.writer,
    text,
    marks,
    kind: line.kind ?? 'device',
    defects: new Set([...marked('present'), ...(line.defects ?? [])]),
    maybe: new Set([...marked('doubtful'), ...(line.maybe ?? [])]),
    battery: line.battery ?? null,
    line,
  }
}

export const isOffer = ({ kind }: LabelledText) => kind === 'device' || kind === 'unclear'

/** What a text states, one number for each label, and which of the labels are known for it. */
export function targetOf(example: LabelledText): { readonly states: Float32Array; readonly isKnown: Float32Array } {
  const { line, marks } = example
  const states = new Float32Array(LABELS.length)
  const isKnown = new Float32Array(LABELS.length).fill(1)
  const index = (label: string) => LABEL_INDEX.get(label as Label)
  const set = (label: string) => {
    const at = index(label)
    if (at !== undefined) states[at] = 1
  }
  const forget = (label: string) => {
    const at = index(label)
    if (at !== undefined) isKnown[at] = 0
  }
  for (const code of example.defects) set(code)
  for (const code of example.maybe) if (!example.defects.has(code)) forget(code)
  const denied = new Map<string, string | null>(Object.entries(line.not ?? {}))
  for (const mark of marks) if (mark.says === 'not') denied.set(mark.code, mark.reason)
  for (const [code, reason] of denied) {
    set(`~${code}`)
    if (reason) set(`reason:${reason}`)
  }
  if (line.worn) set(`worn:${line.worn}`)
  for (const where of typeof line.worn_at === 'string' ? [line.worn_at] : (line.worn_at ?? [])) set(`worn_at:${where}`)
  if (line.lock) set(`lock:${line.lock}`)
  if (line.grade) set(`grade:${line.grade}`)
  for (const { part, original } of line.replaced ?? []) {
    set(`replaced:${(REPLACED_PARTS as readonly string[]).includes(part) ? part : 'other'}`)
    if (original === true) set('replaced_original')
    if (original === false) set('replaced_copy')
  }
  for (const item of line.gone ?? [])
    set(`gone:${(MISSING_ITEMS as readonly string[]).includes(item) ? item : 'other'}`)
  // Who states that a part is missing does not always say in a field which one.
  if (states[index('missing_accessories') as number] && !line.gone)
    for (const item of MISSING_ITEMS) forget(`gone:${item}`)
  if (states[index('carrier_locked') as number]) set('lock:carrier')
  if (states[index('activation_locked') as number]) set('lock:account')
  if (!line.replaced && [...denied.values()].includes('past'))
    for (const part of REPLACED_PARTS) forget(`replaced:${part}`)
  if (line.warranty) set(`warranty:${line.warranty}`)
  if (line.swap) set('swap')
  if (line.barred) set('barred')
  if (line.other) set('other_fault')
  if (!isOffer(example)) {
    set(`offer:${example.kind}`)
    for (const code of DEFECT_CODES) {
      states[index(code) as number] = 0
      forget(code)
    }
  }
  return { states, isKnown }
}
