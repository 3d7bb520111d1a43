import { GRADE_COUNT, gradeIndex, type ObservationColumns } from './observation-columns.ts'

/** What lies farther back than this share of the newest row's weight lies off because prices went on. */
export const MIN_RECENCY_SHARE = 0.25
/** No range is narrower (ln). */
const MIN_HALF_WIDTH = 0.005
/** However few rows say so, no range is made narrower or wider than by this. */
const MIN_SCALE = 0.7
const MAX_SCALE = 1.6

const GOOD = gradeIndex('Good')
const UNGRADED = gradeIndex('Ungraded')
const NEW = gradeIndex('New')

/** Whether an answer has a number for the rows of a cell: it has none for what is new. */
export function isQuotedCell(cell: number): boolean {
  return cell % GRADE_COUNT !== NEW
}

/** The cell whose number a row is held against: what nobody graded against Good. */
export function quotedCellFor(cell: number): number {
  return cell % GRADE_COUNT === UNGRADED ? cell + GOOD - UNGRADED : cell
}

/**
 * Which rows a range is measured on: of ungraded rows as many as their weight in the price says, evenly picked. Call it for
 * rows in their order.
 */
export function ungradedThinning(
  { cell, channel }: Pick<ObservationColumns, 'cell' | 'channel'>,
  ungradedWeight: Float64Array,
): (row: number) => boolean {
  let due = 0
  return (row) => {
    if ((cell[row] as number) % GRADE_COUNT !== UNGRADED) return true
    due += ungradedWeight[channel[row] as number] as number
    if (due < 1) return false
    due -= 1
    return true
  }
}

type HalfWidths = { readonly lowerHalfWidth: Float64Array; readonly upperHalfWidth: Float64Array }

/** A distance from the number of a cell as a share of its range to that side; below zero on the lower one. */
export function intervalPosition(
  { lowerHalfWidth, upperHalfWidth }: HalfWidths,
  cell: number,
  distance: number,
): number {
  const reach = (distance < 0 ? lowerHalfWidth[cell] : upperHalfWidth[cell]) as number
  return distance / Math.max(reach, MIN_HALF_WIDTH)
}

export function clampScale(scale: number): number {
  return Math.max(MIN_SCALE, Math.min(MAX_SCALE, scale))
}
