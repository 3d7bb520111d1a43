import { GOOD, GRADE_COUNT, gradeIndex, type ObservationColumns, UNGRADED } from './observation-columns.ts'

/** Rows with a smaller share of the newest row's recency weight are ignored: they differ because prices moved. */
export const MIN_RECENCY_SHARE = 0.25

const NEW = gradeIndex('New')

/** Whether responses have a price for the cell: all grades except New. */
export function isQuotedCell(cell: number): boolean {
  return cell % GRADE_COUNT !== NEW
}

/** The cell whose price a row is compared with: Good for ungraded rows. */
export function quotedCellFor(cell: number): number {
  return cell % GRADE_COUNT === UNGRADED ? cell + GOOD - UNGRADED : cell
}

/**
 * Selects the rows that intervals are measured on: ungraded rows are thinned evenly according to their weight in the price.
 * Must be called for rows in order.
 */
export function ungradedThinning(
  { cell, channel }: Pick<ObservationColumns, 'cell' | 'channel'>,
  ungradedWeight: Float64Array,
): (row: number) => boolean {
  let due = 0
  return (row) => {
    if (cell[row]! % GRADE_COUNT !== UNGRADED) return true
    due += ungradedWeight[channel[row]!]!
    if (due < 1) return false
    due -= 1
    return true
  }
}
