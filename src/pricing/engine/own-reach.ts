import type { DeviceFit } from './device-fit.ts'
import { type DeviceRows, RUNG_COUNT, rungIndex } from './device-rows.ts'
import { quantile } from './median.ts'

/** The range of its market stands for this many rows of a device. */
const FIRMNESS = 50
/** Of fewer rows than this the farthest few say nothing. */
const FEWEST_ROWS = 20
/** More rows of a device say the same in more time. */
const MOST_ROWS = 120
/** What lies far back lies off because prices went on. */
const RECENT = 0.25
const LEAST_REACH = 0.005
const LEAST = 0.7
const MOST = 1.6

const GOOD = rungIndex('Good')
const UNGRADED = rungIndex('Ungraded')
const NEW = rungIndex('New')

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
    if ((rows.cell[row] as number) % RUNG_COUNT !== NEW) answered += 1
  }
  const step = Math.max(1, Math.ceil(answered / MOST_ROWS))
  const shares: number[] = []
  let place = 0
  for (let row = 0; row < rows.size; row += 1) {
    const cell = rows.cell[row] as number
    const rung = cell % RUNG_COUNT
    if (rung === NEW) continue
    place += 1
    if (place % step || (rows.recency[row] as number) < recent) continue
    const as = rung === UNGRADED ? cell + GOOD - UNGRADED : cell
    const pull = fit.pull[row] as number
    const without = ((fit.residual[row] as number) * pull) / (1 - pull)
    const distance = (rows.value[row] as number) - (answer.served[as] as number) + without
    const reach = (distance < 0 ? answer.below[as] : answer.above[as]) as number
    shares.push(Math.abs(distance) / Math.max(reach, LEAST_REACH))
  }
  const count = shares.length
  if (count < FEWEST_ROWS) return 1
  const found = Math.max(LEAST, Math.min(MOST, quantile(shares, 0.8)))
  return (found * count + FIRMNESS) / (count + FIRMNESS)
}
