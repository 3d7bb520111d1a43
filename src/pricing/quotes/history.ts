import { CONDITIONS, type Condition } from '../../contract/condition-grades.ts'
import { memoize } from '../../lib/memoize.ts'
import { DAY_MS, dayOf, WEEK_MS } from '../../lib/time.ts'
import type { SideEstimate } from '../model/estimate.ts'
import { GRADE_COUNT, gradeIndex, type ObservationColumns } from '../model/observation-columns.ts'
import { medianInPlace } from '../model/quantile.ts'
import { slopePerMonth, TREND_WEEKS } from './trend.ts'

export type PricePoint = { readonly date: string; readonly cents: number; readonly condition: Condition }

/** Weeks of history in a quote; older history is read on demand. */
export const HISTORY_WEEKS = 26
/** The first Monday of the epoch. */
const MONDAY_MS = 4 * DAY_MS

const weekOf = (at: number) => Math.floor((at - MONDAY_MS) / WEEK_MS)
const dayOfWeek = memoize(1_000, (week: number) => dayOf(startOfWeek(week)))

const startOfWeek = (week: number) => week * WEEK_MS + MONDAY_MS

/** Number of weeks that cover this many days, including the current week. */
export const weeksInDays = (days: number) => Math.ceil(days / 7)

/** First Monday of a history of this many weeks. */
export const historyStart = (now: number, weeks: number) => dayOfWeek(weekOf(now) - weeks + 1)

export type EarlierPeriod = { readonly since: number; readonly until: number; readonly weeks: number }

/** Periods before the weeks of a quote, newest first, each as long as the history of a quote. */
export function earlierPeriods(now: number, weeks: number): EarlierPeriod[] {
  const periods: EarlierPeriod[] = []
  for (let from = HISTORY_WEEKS; from < weeks; from += HISTORY_WEEKS) {
    const newest = weekOf(now) - from
    const count = Math.min(HISTORY_WEEKS, weeks - from)
    periods.push({ since: startOfWeek(newest - count + 1), until: startOfWeek(newest + 1) - 1, weeks: count })
  }
  return periods
}

/** Index of the first row of a cell; the columns are sorted by cell. */
export function firstRowOfCell({ cell: cells, size }: Pick<ObservationColumns, 'cell' | 'size'>, cell: number): number {
  let low = 0
  let high = size
  while (low < high) {
    const midpoint = (low + high) >> 1
    if (cells[midpoint]! < cell) low = midpoint + 1
    else high = midpoint
  }
  return low
}

/** Reused buffers; they only grow. */
let weeksAgoBuffer = new Int8Array(1_024)
let sortBuffer = new Float64Array(1_024)

/**
 * Medians of the accepted rows between two indexes, by weeks ago; NaN for weeks without rows. `values` has one value per row
 * from the first index on.
 */
function weeklyMedians(
  side: SideEstimate,
  from: number,
  to: number,
  weeks: number,
  values: Float64Array,
): Float64Array {
  const { rows, fit } = side
  const size = to - from
  if (weeksAgoBuffer.length < size) {
    weeksAgoBuffer = new Int8Array(2 * size)
    sortBuffer = new Float64Array(2 * size)
  }
  const now = weekOf(rows.now)
  const ends = new Int32Array(weeks + 1)
  for (let at = 0; at < size; at += 1) {
    const ago = fit.trust[from + at] === 0 ? weeks : now - weekOf(rows.observedAt[from + at]!)
    weeksAgoBuffer[at] = ago < weeks ? ago : -1
    if (ago < weeks) ends[ago + 1] = ends[ago + 1]! + 1
  }
  for (let ago = 0; ago < weeks; ago += 1) ends[ago + 1] = ends[ago + 1]! + ends[ago]!
  const nextIndex = ends.slice()
  for (let at = 0; at < size; at += 1) {
    const ago = weeksAgoBuffer[at]!
    if (ago < 0) continue
    const index = nextIndex[ago]!
    sortBuffer[index] = values[at]!
    nextIndex[ago] = index + 1
  }
  const medians = new Float64Array(weeks)
  for (let ago = 0; ago < weeks; ago += 1) {
    medians[ago] = medianInPlace(sortBuffer, ends[ago]!, ends[ago + 1]!)
  }
  return medians
}

/** Medians of observed prices by week (from Monday) and grade; weeks without an accepted observation have no point. */
export function weeklyHistory(side: SideEstimate, variant: number, weeks = HISTORY_WEEKS): PricePoint[] {
  const now = weekOf(side.rows.now)
  const byCondition = CONDITIONS.map((condition) => {
    const cell = variant * GRADE_COUNT + gradeIndex(condition)
    const from = firstRowOfCell(side.rows, cell)
    const to = firstRowOfCell(side.rows, cell + 1)
    return from === to ? undefined : weeklyMedians(side, from, to, weeks, side.rows.cents.subarray(from, to))
  })
  const points: PricePoint[] = []
  if (!byCondition.some(Boolean)) return points
  for (let ago = weeks - 1; ago >= 0; ago -= 1) {
    for (let at = 0; at < byCondition.length; at += 1) {
      const cents = byCondition[at]?.[ago] ?? Number.NaN
      if (Number.isNaN(cents)) continue
      points.push({ date: dayOfWeek(now - ago), cents: Math.round(cents), condition: CONDITIONS[at] as Condition })
    }
  }
  return points
}

/** Slope per month of the observed prices between two row indexes, each relative to the level of its cell. */
export function observedSlope(side: SideEstimate, from: number, to: number): number | undefined {
  if (to - from < TREND_WEEKS / 2) return undefined
  const { rows, level } = side
  const deviations = new Float64Array(to - from)
  for (let row = from; row < to; row += 1) {
    const undrifted = rows.lnCents[row]! - rows.driftPerMonth * rows.monthsAgo[row]!
    deviations[row - from] = undrifted - level[rows.cell[row]!]!
  }
  const medians = weeklyMedians(side, from, to, TREND_WEEKS, deviations)
  const points: { week: number; ln: number }[] = []
  for (let ago = TREND_WEEKS - 1; ago >= 0; ago -= 1) {
    const ln = medians[ago]!
    if (!Number.isNaN(ln)) points.push({ week: -ago, ln })
  }
  return slopePerMonth(points)
}
