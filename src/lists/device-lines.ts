/** Lines of a list that hold several devices, one row for each. */
import { offerLineSplitter } from '../tables/offer-lines.ts'
import { sideBySideSplitter } from '../tables/side-by-side.ts'
import type { TableRow } from '../tables/table-row.ts'
import { type SplitLines, wideDeviceSplitter } from '../tables/wide-columns.ts'

export function deviceLineSplitter(lines: readonly TableRow[]): SplitLines | null {
  const unstack = sideBySideSplitter(lines)
  const unstacked = unstack?.(lines) ?? lines
  const split = wideDeviceSplitter(unstacked) ?? offerLineSplitter(unstacked)
  return split && unstack ? (block) => split(unstack(block)) : (split ?? unstack)
}

/** The lines of a list that is in memory: a row per grade or size where it has a column for each, cells of a message. */
export const splitLines = (lines: readonly TableRow[]): readonly TableRow[] =>
  deviceLineSplitter(lines)?.(lines) ?? lines
