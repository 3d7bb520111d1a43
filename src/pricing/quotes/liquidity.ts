import { DAY_MS, WEEK_MS } from '../../lib/time.ts'
import { ACTIVE, type ObservationColumns, SOLD } from '../model/observation-columns.ts'

/** Prior without timing data: 3.5 sales in ten listing-weeks, so that three in four devices sell within four weeks. */
const EXPECTED_EXITS = 3.5
const EXPECTED_WEEKS = 10
/** Listings farther from the estimate (ln) are ignored, because their price affects how fast they sell. */
const NEAR = 0.1

/** Chance in percent to sell within 28 days at the estimate. */
export function liquidityScore(hazardPerWeek: number): number {
  return Math.round(100 * (1 - Math.exp(-4 * hazardPerWeek)))
}

/**
 * Sales per listing and week: from listings with known duration if there are any; otherwise, by Little's law, from weekly
 * sales divided by active listings; otherwise the prior.
 */
export function hazardPerWeek(
  rows: Pick<ObservationColumns, 'now' | 'observedAt' | 'listedAt' | 'state'>,
  residual: Float64Array,
  from: number,
  to: number,
): number {
  let exits = 0
  let weeks = 0
  let sold = 0
  let active = 0
  for (let at = from; at < to; at += 1) {
    const observedAt = rows.observedAt[at]!
    if (observedAt < rows.now - 90 * DAY_MS) continue
    const listedAt = rows.listedAt[at]!
    const state = rows.state[at]!
    if (listedAt <= observedAt) {
      if (Math.abs(residual[at]!) > NEAR) continue
      weeks += Math.max(1 / 7, (observedAt - listedAt) / WEEK_MS)
      if (state !== ACTIVE) exits += 1
    } else if (observedAt >= rows.now - 28 * DAY_MS) {
      if (state === SOLD) sold += 1
      else if (state === ACTIVE) active += 1
    }
  }
  if (weeks === 0 && sold > 0 && active > 0) {
    exits = sold / 4
    weeks = active
  }
  return (exits + EXPECTED_EXITS) / (weeks + EXPECTED_WEEKS)
}
