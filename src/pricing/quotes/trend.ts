import type { TRENDS } from '../../contract/pricing.ts'
import { median } from '../model/quantile.ts'

export type Trend = (typeof TRENDS)[number]

export const TREND_WEEKS = 13
const MIN_WEEKS = 4
const STABLE_LIMIT_PER_MONTH = 0.01
const WEEKS_PER_MONTH = 30.4375 / 7

/** Theil–Sen slope per month: the median of the slopes between all pairs of points, robust against outliers. */
export function slopePerMonth(points: readonly { readonly week: number; readonly ln: number }[]): number | undefined {
  if (points.length < MIN_WEEKS) return undefined
  const slopes: number[] = []
  for (let first = 0; first < points.length; first += 1) {
    const a = points[first] as (typeof points)[number]
    for (let second = first + 1; second < points.length; second += 1) {
      const b = points[second] as (typeof points)[number]
      if (a.week !== b.week) slopes.push((b.ln - a.ln) / (b.week - a.week))
    }
  }
  return slopes.length ? median(slopes) * WEEKS_PER_MONTH : undefined
}

/**
 * Price trend over the last weeks: the variant, its siblings and its make have equal weight. A statement about the past.
 * A rise is reported only if the variant and its siblings both rose, because most reported rises were wrong.
 */
export function trendOf(variantSlope: number | undefined, siblingSlope: number | undefined, makeSlope: number): Trend {
  if (variantSlope === undefined && siblingSlope === undefined) return 'unknown'
  const votes = [variantSlope, siblingSlope, makeSlope].filter((vote) => vote !== undefined)
  const slope = votes.reduce((sum, vote) => sum + vote, 0) / votes.length
  if (slope < -STABLE_LIMIT_PER_MONTH) return 'falling'
  const bothRose = (variantSlope ?? 0) > STABLE_LIMIT_PER_MONTH && (siblingSlope ?? 0) > STABLE_LIMIT_PER_MONTH
  return slope > STABLE_LIMIT_PER_MONTH && bothRose ? 'rising' : 'stable'
}

/** How a line of prices ends: the change (ln) from its first point to the price of today, and the months between them. */
export type LineChange = { readonly change: number; readonly months: number }

/** The trend beside a line of prices: where the line contradicts it, it is the direction of the line. */
export function agreeingTrend(trend: Trend, line: LineChange | undefined): Trend {
  if (!line || (trend === 'rising' ? line.change >= 0 : trend === 'falling' ? line.change <= 0 : true)) return trend
  return line.change / Math.max(1, line.months) < -STABLE_LIMIT_PER_MONTH ? 'falling' : 'stable'
}
