import { CONDITIONS, type Condition } from './condition.ts'
import { RUNG_COUNT, rungIndex } from './device-rows.ts'
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
const dayOfWeek = (week: number) => new Date(week * WEEK_MS + MONDAY_MS).toISOString().slice(0, 10)

/** Where the believed rows of one cell lie in the columns, which are sorted by cell. */
function cellRange(side: SideEstimate, cell: number): [number, number] {
  const { cell: cells, size } = side.rows
  let low = 0
  let high = size
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cells[middle] as number) < cell) low = middle + 1
    else high = middle
  }
  let to = low
  while (to < size && cells[to] === cell) to += 1
  return [low, to]
}

function weekly(
  side: SideEstimate,
  cells: readonly number[],
  weeks: number,
  value: (row: number, cell: number) => number,
): Map<number, number[]> {
  const now = weekOf(side.rows.now)
  const groups = new Map<number, number[]>()
  for (const cell of cells) {
    const [from, to] = cellRange(side, cell)
    for (let row = from; row < to; row += 1) {
      if (side.fit.trust[row] === 0) continue
      const week = weekOf(side.rows.observedAt[row] as number)
      if (week <= now - weeks) continue
      const group = groups.get(week)
      if (group) group.push(value(row, cell))
      else groups.set(week, [value(row, cell)])
    }
  }
  return groups
}

/** Medians of what was really seen, by week (from Monday) and grade; weeks without a believed observation have no point. */
export function history(side: SideEstimate, variant: number): PricePoint[] {
  return CONDITIONS.flatMap((condition) => {
    const cell = variant * RUNG_COUNT + rungIndex(condition)
    const groups = weekly(side, [cell], HISTORY_WEEKS, (row) => side.rows.cents[row] as number)
    return [...groups].map(([week, cents]) => ({ week, cents: Math.round(median(cents)), condition }))
  })
    .sort((a, b) => a.week - b.week || rungIndex(a.condition) - rungIndex(b.condition))
    .map(({ week, cents, condition }) => ({ date: dayOfWeek(week), cents, condition }))
}

/** Slope per month of what was really seen in the given cells, each against its own level. */
export function pastSlope(side: SideEstimate, cells: readonly number[]): number | undefined {
  const { rows, level } = side
  const groups = weekly(side, cells, TREND_WEEKS, (row, cell) => {
    const undrifted = (rows.value[row] as number) - rows.drift * (rows.monthsAgo[row] as number)
    return undrifted - (level[cell] as number)
  })
  return slopePerMonth(
    [...groups].map(([week, values]) => ({ week, ln: median(values) })).sort((a, b) => a.week - b.week),
  )
}
