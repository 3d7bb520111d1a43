import type { ObservationColumns } from './observation-columns.ts'
import { isQuotedCell, quotedCellFor } from './quoted-rows.ts'

/** From this weight of fresh prices on, a cell's own median leads. */
const MIN_DENSE_WEIGHT = 6
/** Weight of the pooled estimate beside the cell's own median, in prices. */
const POOLED_WEIGHT = 12

/**
 * Moves the served price of a cell with many fresh prices of its own towards their weighted median: pooling with other cells
 * helps where prices are few and costs accuracy where they are many.
 */
export function leadByDenseCells(
  rows: Pick<ObservationColumns, 'size' | 'cell' | 'channel' | 'lnCents' | 'weight'>,
  lockOffset: Float64Array,
  ungradedWeight: Float64Array,
  quotedLevel: Float64Array,
): void {
  const byCell = new Map<number, number[]>()
  for (let row = 0; row < rows.size; row += 1) {
    const cell = rows.cell[row]!
    if (!isQuotedCell(cell)) continue
    const own = byCell.get(quotedCellFor(cell))
    if (own) own.push(row)
    else byCell.set(quotedCellFor(cell), [row])
  }
  const weightOf = (row: number) =>
    rows.weight[row]! * (quotedCellFor(rows.cell[row]!) === rows.cell[row]! ? 1 : ungradedWeight[rows.channel[row]!]!)
  for (const [cell, own] of byCell) {
    if (own.length < MIN_DENSE_WEIGHT) continue
    const total = own.reduce((sum, row) => sum + weightOf(row), 0)
    if (total < MIN_DENSE_WEIGHT) continue
    const priced = own
      .map((row) => ({ ln: rows.lnCents[row]! - lockOffset[rows.channel[row]!]!, weight: weightOf(row) }))
      .sort((a, b) => a.ln - b.ln)
    const share = total / (total + POOLED_WEIGHT)
    quotedLevel[cell] = (1 - share) * quotedLevel[cell]! + share * weightedMedian(priced, total)
  }
}

function weightedMedian(sorted: readonly { readonly ln: number; readonly weight: number }[], total: number): number {
  let below = 0
  for (const { ln, weight } of sorted) {
    below += weight
    if (below >= total / 2) return ln
  }
  return sorted.at(-1)?.ln ?? 0
}
