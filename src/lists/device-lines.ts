/** Lines of a list that hold several devices, one row for each. */
import { offerLineSplitter } from '../tables/offer-lines.ts'
import type { TableRow } from '../tables/table-row.ts'
import { wideDeviceSplitter } from '../tables/wide-columns.ts'

export const deviceLineSplitter = (lines: readonly TableRow[]) => wideDeviceSplitter(lines) ?? offerLineSplitter(lines)

/** The lines of a list that is in memory: a row per grade or size where it has a column for each, cells of a message. */
export const splitLines = (lines: readonly TableRow[]): readonly TableRow[] =>
  deviceLineSplitter(lines)?.(lines) ?? lines
