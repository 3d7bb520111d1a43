import { MONTH_MS } from '../../time.ts'
import type { DeviceRows } from './device-rows.ts'
import { medianBetween } from './median.ts'
import type { PriorCoefficients } from './prior-coefficients.ts'

export function priorDrift(make: string, prior: PriorCoefficients): number {
  return make === 'Apple' ? prior.driftPerMonthApple : prior.driftPerMonthOther
}

/** How far a market's own drift may lie from the expected one, per month: in the markets measured it is less. */
const DRIFT_SPREAD = 0.012
/** What shakes a whole market for a while (a launch, a holiday): over a short time it looks like drift. */
const SHOCK = 0.05

/** Where prices go (ln per month), and how unsure that is (a standard deviation). */
export type Drift = { readonly perMonth: number; readonly unsure: number }

/** How unsure a drift is that no market has spoken on. */
export const UNSURE_DRIFT = 0.012
/** However long a market was watched, its drift of the next year is not that of the last. */
const LEAST_UNSURE = 0.006

/** A market's own slope earns trust with the time it spans: over a few weeks it is mostly noise. */
export function driftPerMonth(own: number, spanMonths: number, expected: number): Drift {
  if (spanMonths <= 0) return { perMonth: expected, unsure: UNSURE_DRIFT }
  const noise = (SHOCK / spanMonths) ** 2
  const trust = DRIFT_SPREAD ** 2 / (DRIFT_SPREAD ** 2 + noise)
  return {
    perMonth: Math.max(-0.25, Math.min(0.15, trust * own + (1 - trust) * expected)),
    unsure: Math.max(LEAST_UNSURE, Math.min(UNSURE_DRIFT, DRIFT_SPREAD * Math.sqrt(1 - trust))),
  }
}

/** What a price seen at one moment would be at another: months × drift, in ln. */
export function drifted(ln: number, from: number, to: number, perMonth: number): number {
  return ln + (perMonth * (to - from)) / MONTH_MS
}

/** A cell with fewer rows has no slope worth the name. */
const LEAST_ROWS = 4
/** What one row may say at most: junk has no say in where a market goes. */
const FARTHEST = 0.3

/** The slope within cells, all cells of the devices together (rows not drifted yet), and the time it spans. */
export function ownDrift(devices: readonly DeviceRows[]): { slope: number; spanMonths: number } {
  let xy = 0
  let xx = 0
  let count = 0
  for (const rows of devices) {
    for (let from = 0; from < rows.size; ) {
      const cell = rows.cell[from] as number
      let to = from
      while (to < rows.size && rows.cell[to] === cell) to += 1
      if (to - from >= LEAST_ROWS) {
        const level = medianBetween(rows.value, from, to)
        let center = 0
        for (let at = from; at < to; at += 1) center += (rows.monthsAgo[at] as number) / (to - from)
        for (let at = from; at < to; at += 1) {
          const off = Math.max(-FARTHEST, Math.min(FARTHEST, (rows.value[at] as number) - level))
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
