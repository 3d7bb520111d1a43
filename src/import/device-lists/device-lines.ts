/** Lines of a list that hold several devices, one row for each. */
import { offerLineSplitter } from '../prices/offer-lines.ts'
import { wideDeviceSplitter } from '../prices/wide-columns.ts'
import type { CsvRow } from '../read/csv-reader.ts'

export const deviceLineSplitter = (lines: readonly CsvRow[]) => wideDeviceSplitter(lines) ?? offerLineSplitter(lines)

/** The lines of a list that is in memory: a row per grade or size where it has a column for each, cells of a message. */
export const splitLines = (lines: readonly CsvRow[]): readonly CsvRow[] => deviceLineSplitter(lines)?.(lines) ?? lines
