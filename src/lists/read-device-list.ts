/** The rows of a list of devices, read block by block. */

import type { SkippedLine } from '../tables/table-lines.ts'
import type { TableRow } from '../tables/table-row.ts'
import type { SplitLines } from '../tables/wide-columns.ts'
import { deviceLineSplitter } from './device-lines.ts'
import { type DeviceListRow, readDeviceListRow } from './device-list-row.ts'
import {
  type ColumnAssignment,
  createCellGetter,
  createRowClassifier,
  detectListLayout,
  IDENTIFYING_COLUMNS,
  type ListLayout,
} from './list-columns.ts'
import type { TaughtWords } from './taught-words.ts'

type ListLine = DeviceListRow & { readonly line: number; readonly fields: readonly string[] }

export type DeviceListBlock = { readonly rows: readonly ListLine[]; readonly skipped: readonly SkippedLine[] }

/**
 * The layout is detected from the first block, which has at least the first 64 KiB of the text. With `needsHeader` a table
 * of something else has no rows.
 */
export async function* readDeviceList(
  blocks: AsyncIterable<readonly TableRow[]>,
  words?: TaughtWords,
  { needsHeader = false }: { readonly needsHeader?: boolean } = {},
): AsyncGenerator<DeviceListBlock> {
  let readLines: ((lines: readonly TableRow[]) => DeviceListBlock) | undefined
  let split: SplitLines = (lines) => [...lines]
  for await (const block of blocks) {
    if (block.length === 0) continue
    if (readLines) {
      yield readLines(split(block))
      continue
    }
    split = deviceLineSplitter(block) ?? split
    const rows = split(block)
    const layout = detectListLayout(rows)
    if (needsHeader && !namesDevices(layout)) return
    readLines = createLineReader(layout, layout.columns, words)
    yield readLines(rows.slice(layout.firstRow))
  }
}

const namesDevices = ({ hasHeader, columns }: ListLayout) =>
  hasHeader && columns.some((column) => column !== null && IDENTIFYING_COLUMNS.includes(column))

/** Reads lines below the header; `columns` may differ from the detected ones. */
export function createLineReader(
  layout: Pick<ListLayout, 'header' | 'hasHeader'>,
  columns: ColumnAssignment,
  words?: TaughtWords,
): (lines: readonly TableRow[]) => DeviceListBlock {
  const kindOf = createRowClassifier(layout, columns)
  const cellOf = createCellGetter(columns, layout.header)
  return (lines) => {
    const rows: ListLine[] = []
    const skipped: SkippedLine[] = []
    for (const { line, fields } of lines) {
      const kind = kindOf(fields)
      if (kind === 'row') rows.push({ line, fields, ...readDeviceListRow((column) => cellOf(fields, column), words) })
      else skipped.push({ line, kind, text: fields.filter((field) => field.trim() !== '').join(' ') })
    }
    return { rows, skipped }
  }
}
