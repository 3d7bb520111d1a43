import { MONTH_MS } from '../../lib/time.ts'
import { cellRanges } from './cell-ranges.ts'
import { uses } from './model-parts.ts'
import type { ObservationColumns } from './observation-columns.ts'
import type { PriorCoefficients } from './prior-coefficients.ts'
import { median } from './quantile.ts'

export function priorDrift(make: string, prior: PriorCoefficients): number {
  return make === 'Apple' ? prior.driftPerMonthApple : prior.driftPerMonthOther
}

/** Prior spread of a market's drift around the expected one, per month; measured markets differ less. */
const DRIFT_SPREAD = 0.012
/** Temporary shocks to a whole market (a launch, a holiday), which look like drift over a short time. */
const SHOCK = 0.05

/** Price drift (ln per month) and its standard error. */
export type Drift = { readonly perMonth: number; readonly standardError: number }

/** Standard error of a drift without observations. */
export const DEFAULT_DRIFT_ERROR = 0.012
/** Lower limit, however long a market was observed, because drift changes from year to year. */
const MIN_DRIFT_ERROR = 0.006

/** Shrinks a market's measured slope towards the expected drift, less the longer it spans: over a few weeks it is mostly noise. */
export function shrinkDrift(measured: number, spanMonths: number, expected: number): Drift {
  if (spanMonths <= 0 || !uses('measured drift')) return { perMonth: expected, standardError: DEFAULT_DRIFT_ERROR }
  const noise = (SHOCK / spanMonths) ** 2
  const trust = DRIFT_SPREAD ** 2 / (DRIFT_SPREAD ** 2 + noise)
  return {
    perMonth: Math.max(-0.25, Math.min(0.15, trust * measured + (1 - trust) * expected)),
    standardError: Math.max(MIN_DRIFT_ERROR, Math.min(DEFAULT_DRIFT_ERROR, DRIFT_SPREAD * Math.sqrt(1 - trust))),
  }
}

/** Moves a price (ln) from one instant to another by the drift. */
export function applyDrift(ln: number, from: number, to: number, perMonth: number): number {
  return ln + (perMonth * (to - from)) / MONTH_MS
}

/** Cells with fewer rows are ignored. */
const MIN_ROWS = 4
/** Cap (ln) on the deviation of a row, so that junk does not affect the drift. */
const MAX_DEVIATION = 0.3

/** Measures the pooled slope within the cells of all devices (rows without drift applied), and the time it spans. */
export function measureDrift(devices: readonly ObservationColumns[]): { slope: number; spanMonths: number } {
  let xy = 0
  let xx = 0
  let count = 0
  for (const rows of devices) {
    for (const { from, to } of cellRanges(rows)) {
      if (to - from < MIN_ROWS) continue
      const level = median(rows.lnCents.subarray(from, to))
      let center = 0
      for (let at = from; at < to; at += 1) center += rows.monthsAgo[at]! / (to - from)
      for (let at = from; at < to; at += 1) {
        const deviation = Math.max(-MAX_DEVIATION, Math.min(MAX_DEVIATION, rows.lnCents[at]! - level))
        const time = center - rows.monthsAgo[at]!
        xy += time * deviation
        xx += time * time
      }
      count += to - from
    }
  }
  // Length of the uniform distribution with the same variance, so that a few old rows do not make a long span.
  return { slope: xx > 0 ? xy / xx : 0, spanMonths: count ? Math.sqrt((12 * xx) / count) : 0 }
}
