/** Preview of a dry run: the meaning of each column, and sample rows before and after parsing. */

import { parseCondition } from '../../catalog/grade-words.ts'
import { englishRejection } from '../../lib/rejection-texts.ts'
import { formatTextTable } from '../../lib/text-table.ts'
import { dayOf } from '../../lib/time.ts'
import type { NewObservation } from '../../pricing/model/observation.ts'
import type { ColumnLayout, ColumnMap, FileColumn, PriceCells } from './price-columns.ts'
import { PRICE_COLUMN_NAMES, type PriceColumn } from './price-columns.ts'
import { formatPriceEffect, type PriceEffect } from './price-effect.ts'
import type { PriceAssumptions, PriceQuestion } from './price-questions.ts'
import type { ParsedPriceRow } from './price-row.ts'
import type { PriceTerm } from './price-terms.ts'

const MAX_ROWS = 10
const MAX_EXAMPLES = 3
const MAX_REASONS = 60
const MAX_WORDS = 60
const MAX_CELL_CHARS = 48

export type PreviewPrice = {
  readonly deviceId: string
  readonly variantId: string | null
  readonly configuration: string
  readonly grade: string
  readonly side: string
  readonly cents: number
  readonly day: string
}

/** A row of the file with its parsed price or the reason it is rejected. */
export type SampleRow = {
  readonly line: number
  readonly original: string
  readonly price: PreviewPrice | null
  readonly problem: string | null
}

export type PricePreview = {
  readonly columns: readonly (FileColumn & { readonly field: PriceColumn | null })[]
  /** Currency and side implied by the name of the price column. */
  readonly implied: ColumnLayout['implied']
  readonly rows: readonly SampleRow[]
  /** The first few rejected rows per reason. */
  readonly rejected: readonly { readonly reason: string; readonly rows: readonly SampleRow[] }[]
  /** Condition words without a known grade, most frequent first. */
  readonly unknownConditions: readonly { readonly word: string; readonly rows: number }[]
  /** What the operator has to say before the list can be imported. */
  readonly questions: readonly PriceQuestion[]
  readonly assumed: PriceAssumptions | null
  /** What holds for all rows, and by which evidence. */
  readonly terms: readonly PriceTerm[]
  /** How the list would change prices; null if its columns are not recognised. */
  readonly effect: PriceEffect | null
}

export type PreviewBuilder = {
  setColumns(columns: readonly FileColumn[]): void
  setLayout(layout: { readonly names: ColumnMap; readonly implied?: ColumnLayout['implied'] }): void
  setTerms(questions: readonly PriceQuestion[], assumed: PriceAssumptions, terms: readonly PriceTerm[]): void
  addRow(line: number, cells: PriceCells, parsed: ParsedPriceRow): void
  build(effect?: PriceEffect): PricePreview
}

/** `grades` maps words of the file to grades that the operator chose. */
export function createPreviewBuilder(grades: ReadonlyMap<string, string>): PreviewBuilder {
  let fileColumns: readonly FileColumn[] = []
  let names: ColumnMap = {}
  let implied: ColumnLayout['implied'] = {}
  let questions: readonly PriceQuestion[] = []
  let assumed: PriceAssumptions | null = null
  let terms: readonly PriceTerm[] = []
  const rows: SampleRow[] = []
  const rejected = new Map<string, SampleRow[]>()
  const words = new Map<string, number>()

  /** Collects unknown words from all rejected rows, whatever the reason, so that the operator sees them all at once. */
  function countCondition(condition: string): void {
    const word = condition.trim().toLowerCase()
    const rows = words.get(word)
    const isNew = rows === undefined
    if (isNew && (word === '' || word.length > MAX_CELL_CHARS || words.size >= MAX_WORDS * 10)) return
    if (isNew && isKnownCondition(word, grades)) return
    words.set(word, (rows ?? 0) + 1)
  }

  function addRejected(sample: SampleRow, problem: string): void {
    const examples = rejected.get(problem)
    if (!examples && rejected.size < MAX_REASONS) rejected.set(problem, [sample])
    else if (examples && examples.length < MAX_EXAMPLES) examples.push(sample)
  }

  return {
    setColumns(columns) {
      fileColumns = columns
    },
    setLayout(layout) {
      names = layout.names
      implied = layout.implied ?? {}
    },
    setTerms(openQuestions, assumptions, decided) {
      questions = openQuestions
      assumed = assumptions
      terms = decided
    },
    addRow(line, cells, parsed) {
      const problem = 'problem' in parsed ? parsed.problem : null
      const isSampled = rows.length < MAX_ROWS
      if (problem !== null) countCondition(cells.condition)
      if (!isSampled && problem === null) return
      const original = PRICE_COLUMN_NAMES.filter((column) => names[column] !== undefined && cells[column] !== '')
        .map((column) => cells[column])
        .join(' · ')
      const sample = {
        line,
        original: truncate(original),
        price: 'problem' in parsed ? null : toPreviewPrice(parsed),
        problem,
      }
      if (isSampled) rows.push(sample)
      if (problem !== null) addRejected(sample, problem)
    },
    build: (effect) => ({
      effect: effect ?? null,
      questions,
      assumed,
      terms,
      columns: fileColumns.map((column) => ({
        ...column,
        field: PRICE_COLUMN_NAMES.find((candidate) => names[candidate]?.trim() === column.name) ?? null,
      })),
      implied,
      rows,
      rejected: [...rejected].map(([reason, examples]) => ({ reason, rows: examples })),
      unknownConditions: [...words]
        .map(([word, count]) => ({ word, rows: count }))
        .sort((left, right) => right.rows - left.rows)
        .slice(0, MAX_WORDS),
    }),
  }
}

function isKnownCondition(word: string, grades: ReadonlyMap<string, string>): boolean {
  return grades.has(word) || parseCondition(word) !== undefined
}

function toPreviewPrice({ subject, terms, cents, observedAt }: NewObservation): PreviewPrice {
  const { deviceId, variantId, configuration } = subject
  return {
    deviceId,
    variantId: variantId || null,
    configuration,
    grade: terms.grade,
    side: terms.side,
    cents,
    day: dayOf(observedAt),
  }
}

export function formatPreview({ columns, implied, rows, effect }: PricePreview): string {
  const columnRows = PRICE_COLUMN_NAMES.flatMap((column) =>
    columns.filter(({ field }) => field === column).map(({ name }) => [name, column]),
  )
  const impliedRows = Object.entries(implied).map(([what, value]) => [`(name of the price column)`, `${what} ${value}`])
  return [
    formatTextTable(['COLUMN', 'FIELD'], [...columnRows, ...impliedRows]),
    '',
    formatTextTable(
      ['LINE', 'ORIGINAL', 'RESULT'],
      rows.map(({ line, original, price, problem }) => [
        String(line),
        original,
        truncate(price ? formatPrice(price) : `rejected: ${englishRejection(problem ?? '')}`),
      ]),
    ),
    ...(effect ? ['', formatPriceEffect(effect)] : []),
  ].join('\n')
}

function formatPrice({ deviceId, variantId, configuration, grade, side, cents, day }: PreviewPrice): string {
  const subject = variantId ?? `${deviceId} ${configuration}`
  return `${subject}, ${grade}, ${side} $${(cents / 100).toFixed(2)}, ${day}`
}

const truncate = (text: string) =>
  text.length > MAX_CELL_CHARS * 2 ? `${text.slice(0, MAX_CELL_CHARS * 2 - 1)}…` : text
