import type { DeviceFit } from './device-fit.ts'
import type { DeviceRows } from './device-rows.ts'
import { quantile } from './median.ts'
import { answeringCell, boundedScale, isAnswered, RECENT, shareOfReach } from './reach-share.ts'

/** The range of its market stands for this many rows of a device. */
const FIRMNESS = 50
/** Of fewer rows than this the farthest few say nothing. */
const FEWEST_ROWS = 20
/** More rows of a device say the same in more time. */
const MOST_ROWS = 120
/**
 * Deals of one device may trail off farther than those of its market, or less far: what its ranges have to be multiplied by to hold 80 % of
 * its own rows, each as if it had not been there, held to its market's by some rows.
 */
export function ownReach(
  rows: DeviceRows,
  fit: DeviceFit,
  answer: { readonly served: Float64Array; readonly below: Float64Array; readonly above: Float64Array },
): number {
  let recent = 0
  let answered = 0
  for (let row = 0; row < rows.size; row += 1) {
    recent = Math.max(recent, RECENT * (rows.recency[row] as number))
    if (isAnswered(rows.cell[row] as number)) answered += 1
  }
  const step = Math.max(1, Math.ceil(answered / MOST_ROWS))
  const shares: number[] = []
  let place = 0
  for (let row = 0; row < rows.size; row += 1) {
    const cell = rows.cell[row] as number
    if (!isAnswered(cell)) continue
    place += 1
    if (place % step || (rows.recency[row] as number) < recent) continue
    const as = answeringCell(cell)
    const pull = fit.pull[row] as number
    const without = ((fit.residual[row] as number) * pull) / (1 - pull)
    const distance = (rows.value[row] as number) - (answer.served[as] as number) + without
    shares.push(Math.abs(shareOfReach(answer, as, distance)))
  }
  const count = shares.length
  if (count < FEWEST_ROWS) return 1
  const found = boundedScale(quantile(shares, 0.8))
  return (found * count + FIRMNESS) / (count + FIRMNESS)
}
