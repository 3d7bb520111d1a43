import type { DeviceFit } from './device-fit.ts'
import { clampScale, intervalPosition, isQuotedCell, MIN_RECENCY_SHARE, quotedCellFor } from './interval-scale.ts'
import type { ObservationColumns } from './observation-columns.ts'
import { quantile } from './quantile.ts'

/** Prior weight of the market's interval, in rows. */
const PRIOR_ROWS = 50
/** With fewer rows the 80 % quantile is too noisy. */
const MIN_ROWS = 20
/** More rows cost time without improving the result. */
const MAX_ROWS = 120
/**
 * Deals of one device may have longer or shorter tails than those of its market. Returns the factor by which its intervals
 * must be scaled to cover 80 % of its own rows (leave-one-out), shrunk towards 1 by `PRIOR_ROWS`.
 */
export function deviceIntervalScale(
  rows: ObservationColumns,
  fit: DeviceFit,
  estimate: {
    readonly quotedLevel: Float64Array
    readonly lowerHalfWidth: Float64Array
    readonly upperHalfWidth: Float64Array
    readonly lockOffset: Float64Array
  },
): number {
  let minRecency = 0
  let quotedCount = 0
  for (let row = 0; row < rows.size; row += 1) {
    minRecency = Math.max(minRecency, MIN_RECENCY_SHARE * rows.recency[row]!)
    if (isQuotedCell(rows.cell[row]!)) quotedCount += 1
  }
  const step = Math.max(1, Math.ceil(quotedCount / MAX_ROWS))
  const positions: number[] = []
  let quotedIndex = 0
  for (let row = 0; row < rows.size; row += 1) {
    const cell = rows.cell[row]!
    if (!isQuotedCell(cell)) continue
    quotedIndex += 1
    if (quotedIndex % step || rows.recency[row]! < minRecency) continue
    const quotedCell = quotedCellFor(cell)
    const leverage = fit.leverage[row]!
    const leaveOneOutShift = (fit.residual[row]! * leverage) / (1 - leverage)
    const unlocked = rows.lnCents[row]! - estimate.lockOffset[rows.channel[row]!]!
    const distance = unlocked - estimate.quotedLevel[quotedCell]! + leaveOneOutShift
    positions.push(Math.abs(intervalPosition(estimate, quotedCell, distance)))
  }
  const count = positions.length
  if (count < MIN_ROWS) return 1
  const measured = clampScale(quantile(positions, 0.8))
  return (measured * count + PRIOR_ROWS) / (count + PRIOR_ROWS)
}
