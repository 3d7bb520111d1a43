/** What a dry run shows before its figures: what the columns were taken for, and some rows as they came and as they were read. */
import type { NewObservation } from '../../pricing/engine/observation.ts'
import { isKeptApart, readGrade } from '../../pricing/market/grade-words.ts'
import { textTable } from '../../text/text-table.ts'
import { dayOf } from '../../time.ts'
import { type Cells, COLUMN_NAMES, type Column, type ColumnMap, type Layout, type SeenColumn } from './price-columns.ts'
import type { RowReading } from './price-row.ts'

const MOST_ROWS = 10
const MOST_EXAMPLES = 3
const MOST_REASONS = 60
const MOST_WORDS = 60
const LONGEST_CELL = 48

export type ReadPrice = {
  readonly deviceId: string
  readonly variantId: string | null
  readonly configuration: string
  readonly grade: string
  readonly side: string
  readonly cents: number
  readonly day: string
}

/** A row as it came and what was made of it: a price, or why it is refused. */
export type SampleRow = {
  readonly line: number
  readonly came: string
  readonly read: ReadPrice | null
  readonly problem: string | null
}

export type PricePreview = {
  readonly columns: readonly (SeenColumn & { readonly readAs: Column | null })[]
  /** What the name of the price column says by itself. */
  readonly implied: Layout['implied']
  readonly rows: readonly SampleRow[]
  /** For each reason the first few rows that were refused for it. */
  readonly refused: readonly { readonly reason: string; readonly rows: readonly SampleRow[] }[]
  /** Words for a condition that nobody knows, most frequent first. */
  readonly unknownConditions: readonly { readonly word: string; readonly rows: number }[]
}

export type PreviewNotes = {
  see(columns: readonly SeenColumn[]): void
  take(layout: { readonly names: ColumnMap; readonly implied?: Layout['implied'] }): void
  add(line: number, cells: Cells, reading: RowReading): void
  made(): PricePreview
}

/** `grades` are those that the operator gave to words of the file. */
export function openPreview(grades: ReadonlyMap<string, string>): PreviewNotes {
  let seen: readonly SeenColumn[] = []
  let names: ColumnMap = {}
  let implied: Layout['implied'] = {}
  const rows: SampleRow[] = []
  const refused = new Map<string, SampleRow[]>()
  const words = new Map<string, number>()

  /** Whatever else is wrong with a row: all words are told at once, not one problem after the other. */
  function noteCondition(condition: string): void {
    const word = condition.trim().toLowerCase()
    const rows = words.get(word)
    const isNew = rows === undefined
    if (isNew && (word === '' || word.length > LONGEST_CELL || words.size >= MOST_WORDS * 10)) return
    if (isNew && isKnown(word, grades)) return
    words.set(word, (rows ?? 0) + 1)
  }

  function noteRefusal(sample: SampleRow, problem: string): void {
    const known = refused.get(problem)
    if (!known && refused.size < MOST_REASONS) refused.set(problem, [sample])
    else if (known && known.length < MOST_EXAMPLES) known.push(sample)
  }

  return {
    see(columns) {
      seen = columns
    },
    take(layout) {
      names = layout.names
      implied = layout.implied ?? {}
    },
    add(line, cells, reading) {
      const problem = 'problem' in reading ? reading.problem : null
      const isWanted = rows.length < MOST_ROWS
      if (problem !== null) noteCondition(cells.condition)
      if (!isWanted && problem === null) return
      const came = COLUMN_NAMES.filter((column) => names[column] !== undefined && cells[column] !== '')
        .map((column) => cells[column])
        .join(' · ')
      const sample = { line, came: cut(came), read: 'problem' in reading ? null : readPrice(reading), problem }
      if (isWanted) rows.push(sample)
      if (problem !== null) noteRefusal(sample, problem)
    },
    made: () => ({
      columns: seen.map((column) => ({
        ...column,
        readAs: COLUMN_NAMES.find((one) => names[one]?.trim() === column.name) ?? null,
      })),
      implied,
      rows,
      refused: [...refused].map(([reason, examples]) => ({ reason, rows: examples })),
      unknownConditions: [...words]
        .map(([word, count]) => ({ word, rows: count }))
        .sort((left, right) => right.rows - left.rows)
        .slice(0, MOST_WORDS),
    }),
  }
}

function isKnown(word: string, grades: ReadonlyMap<string, string>): boolean {
  return grades.has(word) || readGrade(word) !== undefined || isKeptApart(word)
}

function readPrice({ subject, terms, cents, observedAt }: NewObservation): ReadPrice {
  const { deviceId, variantId, configuration } = subject
  return {
    ...{ deviceId, variantId: variantId || null, configuration },
    ...{ grade: terms.rung, side: terms.side, cents, day: dayOf(observedAt) },
  }
}

export function previewText({ columns, implied, rows }: PricePreview): string {
  const found = COLUMN_NAMES.flatMap((column) =>
    columns.filter(({ readAs }) => readAs === column).map(({ name }) => [name, column]),
  )
  const more = Object.entries(implied).map(([what, value]) => [`(name of the price column)`, `${what} ${value}`])
  return [
    textTable(['COLUMN', 'READ AS'], [...found, ...more]),
    '',
    textTable(
      ['LINE', 'AS IT CAME', 'AS IT WAS READ'],
      rows.map(({ line, came, read, problem }) => [
        String(line),
        came,
        cut(read ? said(read) : `refused: ${problem ?? ''}`),
      ]),
    ),
  ].join('\n')
}

function said({ deviceId, variantId, configuration, grade, side, cents, day }: ReadPrice): string {
  const what = variantId ?? `${deviceId} ${configuration}`
  return `${what}, ${grade}, ${side} $${(cents / 100).toFixed(2)}, ${day}`
}

const cut = (text: string) => (text.length > LONGEST_CELL * 2 ? `${text.slice(0, LONGEST_CELL * 2 - 1)}…` : text)
