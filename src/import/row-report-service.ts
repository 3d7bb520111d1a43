/** Report of rejected rows with line and reason: the first ones on screen, all in a file. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { formatCsvLine } from '../lib/csv-writer.ts'
import { englishRejection } from '../lib/rejection-texts.ts'
import type { RejectionCode, Remark } from '../lib/rejections.ts'

export type RowReport = {
  /** Columns of the list, for reports that contain the rejected rows. Call it before the first `reject`. */
  readonly setColumns: (names: readonly string[]) => void
  /**
   * Skips a row. `detail` says what the reason is about; `written` is the row itself, if it contains no personal data.
   */
  readonly reject: (line: number, reason: RejectionCode, detail?: string, written?: readonly string[]) => void
  /** Counts a remark about an accepted row. */
  readonly remark: (remark: Remark, count?: number) => void
  /** Counts unknown names, such as models, to report the most frequent. */
  readonly countUnknown: (name: string) => void
  /** Most frequent first. */
  readonly unknownCounts: () => readonly (readonly [name: string, count: number])[]
  /** Records a variant that this import added, and the number of rows that name it. */
  readonly recordAddition: (name: string, rows: number) => void
  readonly additions: () => readonly (readonly [name: string, rows: number])[]
  readonly rejectedCount: () => number
  readonly rejectedBy: () => Readonly<Partial<Record<RejectionCode, number>>>
  readonly remarks: () => Readonly<Record<string, number>>
  /** Path of the report file, once a row was rejected. */
  readonly file: () => string | null
  readonly close: () => void
}

/** More rejected rows on screen would hide the other messages. */
const MAX_SHOWN = 20
const FLUSH_LINES = 500
/** Bounds memory: titles differ from row to row. */
const MAX_NAMES = 50_000
const MAX_NAME_CHARS = 200

export function createRowReport(options: { path: string | null; show: (sentence: string) => void }): RowReport {
  const rejected = new Map<RejectionCode, number>()
  const remarks = new Map<string, number>()
  const unknownNames = new Map<string, number>()
  const added: [string, number][] = []
  let total = 0
  let pending: string[] = []
  let isFileStarted = false
  let columns: readonly string[] = []

  const flush = () => {
    if (!options.path || pending.length === 0) return
    if (!isFileStarted) {
      mkdirSync(dirname(options.path), { recursive: true })
      writeFileSync(options.path, formatCsvLine(['line', 'reason', 'detail', ...columns]), { mode: 0o600 })
      isFileStarted = true
    }
    appendFileSync(options.path, pending.join(''))
    pending = []
  }

  return {
    setColumns(names) {
      columns = names
    },
    reject(line, reason, detail = '', written = []) {
      total++
      rejected.set(reason, (rejected.get(reason) ?? 0) + 1)
      if (total <= MAX_SHOWN)
        options.show(`line ${line}: ${englishRejection(reason)}${detail ? ` (${detail.slice(0, 120)})` : ''}`)
      if (total === MAX_SHOWN + 1) {
        options.show(options.path ? `more rejected rows: see ${options.path}` : 'more rejected rows are only counted')
      }
      if (!options.path) return
      pending.push(formatCsvLine([String(line), englishRejection(reason), detail, ...written]))
      if (pending.length >= FLUSH_LINES) flush()
    },
    remark(remark, count = 1) {
      if (count > 0) remarks.set(remark, (remarks.get(remark) ?? 0) + count)
    },
    countUnknown(name) {
      const key = name.toLowerCase().replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_CHARS)
      if (unknownNames.size < MAX_NAMES || unknownNames.has(key))
        unknownNames.set(key, (unknownNames.get(key) ?? 0) + 1)
    },
    unknownCounts: () => [...unknownNames].sort(([, left], [, right]) => right - left),
    recordAddition: (name, rows) => void added.push([name, rows]),
    additions: () => added.toSorted(([, left], [, right]) => right - left),
    rejectedCount: () => total,
    rejectedBy: () => Object.fromEntries(rejected) as Partial<Record<RejectionCode, number>>,
    remarks: () => Object.fromEntries(remarks),
    file: () => (options.path && total > 0 ? options.path : null),
    close: flush,
  }
}
