import { CONDITIONS, type Condition } from './condition.ts'
import { type DeviceRows, RUNG_COUNT, rungIndex } from './device-rows.ts'
import type { SideEstimate } from './estimate.ts'
import { median } from './median.ts'
import { DAY_MS } from './observation.ts'
import { slopePerMonth, TREND_WEEKS } from './trend.ts'

export type PricePoint = { readonly date: string; readonly cents: number; readonly condition: Condition }

export const HISTORY_WEEKS = 26
const WEEK_MS = 7 * DAY_MS
/** The first Monday of the epoch. */
const MONDAY_MS = 4 * DAY_MS

const weekOf = (at: number) => Math.floor((at - MONDAY_MS) / WEEK_MS)
const mondays = new Map<number, string>()

function dayOfWeek(week: number): string {
  let day = mondays.get(week)
  if (day === undefined) {
    day = new Date(week * WEEK_MS + MONDAY_MS).toISOString().slice(0, 10)
    if (mondays.size > 1_000) mondays.clear()
    mondays.set(week, day)
  }
  return day
}

/** Where the rows of a cell begin in the columns, which are sorted by cell. */
export function firstOfCell({ cell: cells, size }: Pick<DeviceRows, 'cell' | 'size'>, cell: number): number {
  let low = 0
  let high = size
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cells[middle] as number) < cell) low = middle + 1
    else high = middle
  }
  return low
}

/** Values of the believed rows between two places, by week before this one. */
function weekly(
  side: SideEstimate,
  from: number,
  to: number,
  weeks: number,
  value: (row: number) => number,
): number[][] {
  const { rows, fit } = side
  const now = weekOf(rows.now)
  const groups: number[][] = []
  for (let row = from; row < to; row += 1) {
    if (fit.trust[row] === 0) continue
    const ago = now - weekOf(rows.observedAt[row] as number)
    if (ago >= weeks) continue
    const group = groups[ago]
    if (group) group.push(value(row))
    else groups[ago] = [value(row)]
  }
  return groups
}

/** Medians of what was really seen, by week (from Monday) and grade; weeks without a believed observation have no point. */
export function history(side: SideEstimate, variant: number): PricePoint[] {
  const now = weekOf(side.rows.now)
  const byCondition = CONDITIONS.map((condition) => {
    const cell = variant * RUNG_COUNT + rungIndex(condition)
    const from = firstOfCell(side.rows, cell)
    const to = firstOfCell(side.rows, cell + 1)
    return from === to ? [] : weekly(side, from, to, HISTORY_WEEKS, (row) => side.rows.cents[row] as number)
  })
  const points: PricePoint[] = []
  for (let ago = HISTORY_WEEKS - 1; ago >= 0; ago -= 1) {
    const date = dayOfWeek(now - ago)
    CONDITIONS.forEach((condition, at) => {
      const cents = byCondition[at]?.[ago]
      if (cents) points.push({ date, cents: Math.round(median(cents)), condition })
    })
  }
  return points
}

/** Slope per month of what was really seen between two places in the rows, each against the level of its cell. */
export function pastSlope(side: SideEstimate, from: number, to: number): number | undefined {
  if (to - from < TREND_WEEKS / 2) return undefined
  const { rows, level } = side
  const groups = weekly(side, from, to, TREND_WEEKS, (row) => {
    const undrifted = (rows.value[row] as number) - rows.drift * (rows.monthsAgo[row] as number)
    return undrifted - (level[rows.cell[row] as number] as number)
  })
  const points: { week: number; ln: number }[] = []
  for (let ago = TREND_WEEKS - 1; ago >= 0; ago -= 1) {
    const values = groups[ago]
    if (values) points.push({ week: -ago, ln: median(values) })
  }
  return slopePerMonth(points)
}
