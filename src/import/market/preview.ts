/** What a dry run shows before its figures: what the columns were taken for, and a few rows as they came and as they were read. */
import type { NewObservation } from '../../pricing/engine/observation.ts'
import { textTable } from '../../text/text-table.ts'
import { dayOf } from '../../time.ts'
import { type Cells, COLUMN_NAMES, type Layout } from './price-columns.ts'
import type { RowReading } from './price-row.ts'

const MOST_ROWS = 10
const LONGEST_CELL = 48

export type Preview = {
  add(line: number, cells: Cells, reading: RowReading): void
  text(): string
}

export function openPreview({ names, implied }: Layout): Preview {
  const rows: string[][] = []
  return {
    add(line, cells, reading) {
      if (rows.length >= MOST_ROWS) return
      const came = COLUMN_NAMES.filter((column) => names[column] !== undefined && cells[column] !== '')
        .map((column) => cells[column])
        .join(' · ')
      rows.push([String(line), cut(came), cut('problem' in reading ? `refused: ${reading.problem}` : said(reading))])
    },
    text() {
      const columns = COLUMN_NAMES.flatMap((column) => (names[column] === undefined ? [] : [[names[column], column]]))
      const more = Object.entries(implied).map(([what, value]) => [`(name of the price column)`, `${what} ${value}`])
      return [
        textTable(['COLUMN', 'READ AS'], [...columns, ...more]),
        '',
        textTable(['LINE', 'AS IT CAME', 'AS IT WAS READ'], rows),
      ].join('\n')
    },
  }
}

function said({ subject, terms, cents, observedAt }: NewObservation): string {
  const what = subject.variantId ?? `${subject.deviceId} ${subject.configuration}`
  return `${what}, ${terms.rung}, ${terms.side} $${(cents / 100).toFixed(2)}, ${dayOf(observedAt)}`
}

const cut = (text: string) => (text.length > LONGEST_CELL * 2 ? `${text.slice(0, LONGEST_CELL * 2 - 1)}…` : text)
