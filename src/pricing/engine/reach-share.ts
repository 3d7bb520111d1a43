import { RUNG_COUNT, rungIndex } from './device-rows.ts'

/** What lies farther back than this share of the newest row's weight lies off because prices went on. */
export const RECENT = 0.25
/** No range is narrower (ln). */
const LEAST_REACH = 0.005
/** However few rows say so, no range is made narrower or wider than by this. */
const LEAST_SCALE = 0.7
const MOST_SCALE = 1.6

const GOOD = rungIndex('Good')
const UNGRADED = rungIndex('Ungraded')
const NEW = rungIndex('New')

/** Whether an answer has a number for the rows of a cell: it has none for what is new. */
export function isAnswered(cell: number): boolean {
  return cell % RUNG_COUNT !== NEW
}

/** The cell whose number a row is held against: what nobody graded against Good. */
export function answeringCell(cell: number): number {
  return cell % RUNG_COUNT === UNGRADED ? cell + GOOD - UNGRADED : cell
}

type Reaches = { readonly below: Float64Array; readonly above: Float64Array }

/** A distance from the number of a cell as a share of its range to that side; below zero on the lower one. */
export function shareOfReach({ below, above }: Reaches, cell: number, distance: number): number {
  const reach = (distance < 0 ? below[cell] : above[cell]) as number
  return distance / Math.max(reach, LEAST_REACH)
}

export function boundedScale(scale: number): number {
  return Math.max(LEAST_SCALE, Math.min(MOST_SCALE, scale))
}
