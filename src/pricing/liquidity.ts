import { DAY_MS, type Observation } from './observation.ts'

const WEEK_MS = 7 * DAY_MS
/** A market nobody has timed yet: 3.5 sales in ten listing-weeks, three in four devices gone within four weeks. */
const EXPECTED_EXITS = 3.5
const EXPECTED_WEEKS = 10
/** A listing far from the estimate says nothing about how fast one at the estimate sells. */
const NEAR = 0.1

/** Chance in percent to sell within 28 days at the estimate. */
export function liquidityScore(hazardPerWeek: number): number {
  return Math.round(100 * (1 - Math.exp(-4 * hazardPerWeek)))
}

/**
 * Sales per listing and week. From listings whose life is known where there are any; else, by Little's law, from weekly sales
 * over standing offers; else what is expected of a market.
 */
export function hazardPerWeek(
  observations: readonly Observation[],
  estimateLn: (observation: Observation) => number,
  now: number,
): number {
  let exits = 0
  let weeks = 0
  let sold = 0
  let standing = 0
  for (const row of observations) {
    if (row.side === 'quote' || row.observedAt > now || row.observedAt < now - 90 * DAY_MS) continue
    const near = Math.abs(Math.log(row.cents) - estimateLn(row)) <= NEAR
    if (row.listedAt !== null && row.listedAt <= row.observedAt) {
      if (!near) continue
      weeks += Math.max(1 / 7, (row.observedAt - row.listedAt) / WEEK_MS)
      if (row.state !== 'active') exits += 1
    } else if (row.observedAt >= now - 28 * DAY_MS) {
      if (row.state === 'sold') sold += 1
      else if (row.state === 'active') standing += 1
    }
  }
  if (weeks === 0 && sold > 0 && standing > 0) {
    exits = sold / 4
    weeks = standing
  }
  return (exits + EXPECTED_EXITS) / (weeks + EXPECTED_WEEKS)
}
