import { MONTH_MS } from '../../lib/time.ts'
import type { ObservationColumns } from './observation-columns.ts'
import type { PriorCoefficients } from './prior-coefficients.ts'
import { medianBetween } from './quantile.ts'

export function priorDrift(make: string, prior: PriorCoefficients): number {
  return make === 'Apple' ? prior.driftPerMonthApple : prior.driftPerMonthOther
}

/** How far a market's own drift may lie from the expected one, per month: in the markets measured it is less. */
const DRIFT_SPREAD = 0.012
/** What shakes a whole market for a while (a launch, a holiday): over a short time it looks like drift. */
const SHOCK = 0.05

/** Where prices go (ln per month), and how unsure that is (a standard deviation). */
export type Drift = { readonly perMonth: number; readonly standardError: number }

/** How unsure a drift is that no market has spoken on. */
export const DEFAULT_DRIFT_ERROR = 0.012
/** However long a market was watched, its drift of the next year is not that of the last. */
const MIN_DRIFT_ERROR = 0.006

/** A market's own slope earns trust with the time it spans: over a few weeks it is mostly noise. */
export function shrinkDrift(own: number, spanMonths: number, expected: number): Drift {
  if (spanMonths <= 0) return { perMonth: expected, standardError: DEFAULT_DRIFT_ERROR }
  const noise = (SHOCK / spanMonths) ** 2
  const trust = DRIFT_SPREAD ** 2 / (DRIFT_SPREAD ** 2 + noise)
  return {
    perMonth: Math.max(-0.25, Math.min(0.15, trust * own + (1 - trust) * expected)),
    standardError: Math.max(MIN_DRIFT_ERROR, Math.min(DEFAULT_DRIFT_ERROR, DRIFT_SPREAD * Math.sqrt(1 - trust))),
  }
}

/** What a price seen at one moment would be at another: months × drift, in ln. */
export function applyDrift(ln: number, from: number, to: number, perMonth: number): number {
  return ln + (perMonth * (to - from)) / MONTH_MS
}

/** A cell with fewer rows has no slope worth the name. */
const MIN_ROWS = 4
/** What one row may say at most: junk has no say in where a market goes. */
const MAX_DEVIATION = 0.3

/** The slope within cells, all cells of the devices together (rows not drifted yet), and the time it spans. */
export function measureDrift(devices: readonly ObservationColumns[]): { slope: number; spanMonths: number } {
  let xy = 0
  let xx = 0
  let count = 0
  for (const rows of devices) {
    for (let from = 0; from < rows.size; ) {
      const cell = rows.cell[from] as number
      let to = from
      while (to < rows.size && rows.cell[to] === cell) to += 1
      if (to - from >= MIN_ROWS) {
        const level = medianBetween(rows.lnCents, from, to)
        let center = 0
        for (let at = from; at < to; at += 1) center += (rows.monthsAgo[at] as number) / (to - from)
        for (let at = from; at < to; at += 1) {
          const off = Math.max(-MAX_DEVIATION, Math.min(MAX_DEVIATION, (rows.lnCents[at] as number) - level))
          const time = center - (rows.monthsAgo[at] as number)
          xy += time * off
          xx += time * time
        }
        count += to - from
      }
      from = to
    }
  }
  // As long as an even spread over that time would have the same variance: a few stragglers do not make a long span.
  return { slope: xx > 0 ? xy / xx : 0, spanMonths: count ? Math.sqrt((12 * xx) / count) : 0 }
}
