import { RUNGS } from './condition.ts'
import { type DeviceFit, NORMAL_MEDIAN, type Spreads } from './device-fit.ts'
import { type DeviceRows, RUNG_COUNT } from './device-rows.ts'
import type { Trade } from './market.ts'
import { quantile } from './median.ts'

/** Where learning starts, and what a market with few rows keeps. */
export const EXPECTED_SPREADS: Readonly<Record<Trade, Spreads>> = {
  resale: {
    listing: 0.1,
    rungFactor: [1, 1, 1, 1.1, 1.6],
    cell: 0.05,
    variant: 0.045,
    slope: 0.35,
    device: 0.13,
    rung: 0.04,
    channel: 0.045,
  },
  buyback: {
    listing: 0.06,
    rungFactor: [1, 1, 1, 1.1, 1.6],
    cell: 0.05,
    variant: 0.03,
    slope: 0.25,
    device: 0.12,
    rung: 0.04,
    channel: 0.045,
  },
}

/** Half-width of the middle 80 % of a normal distribution. */
export const NORMAL_REACH = 1.2816

/** What a variant has of its own is never less in any market measured; the storage steps were fitted on the same rows. */
const LEAST_VARIANT = 0.035

/** Rows of a device that are looked at for the spread of listings. */
const ROWS_LOOKED_AT = 200

const blend = (own: number, weight: number, expected: number, firmness: number) =>
  (own * weight + expected * firmness) / (weight + firmness)

/** A spread by moments: the squared distances less what chance alone explains, held to `expected` by `firmness` cases. */
function excess(expected: number, firmness: number, current: number) {
  let weight = firmness / expected ** 4
  let sum = weight * expected ** 2
  return {
    /** `chance`: the variance of `distance` without the spread that is being learnt. */
    add(distance: number, chance: number): void {
      const total = chance + current ** 2
      const share = 1 / total ** 2
      weight += share
      sum += share * (Math.min(distance * distance, 6 * total) - chance)
    },
    // Halfway from the current value: the distances were measured under it, and a full step would swing past.
    value: (least: number, most: number, freedom = 1) =>
      Math.min(most, Math.sqrt((current ** 2 + freedom * Math.max(least ** 2, sum / weight)) / 2)),
  }
}

/** How far each node of the trees is from what its siblings say teaches how much to lean on siblings. */
export function spreadLearner(current: Spreads, trade: Trade) {
  const start = EXPECTED_SPREADS[trade]
  const cell = excess(start.cell, 2, current.cell)
  const variant = excess(start.variant, 2, current.variant)
  const device = excess(start.device, 4, current.device)
  let devices = 0
  const standard: number[] = []
  const relative: number[] = []
  const byRung: number[][] = RUNGS.map(() => [])
  return {
    add(rows: DeviceRows, fit: DeviceFit, listed: boolean): void {
      const { pooled } = fit
      const factor = (at: number) => current.rungFactor[at % RUNG_COUNT] as number
      for (let c = 0; c < fit.weight.length; c += 1) {
        const weight = fit.weight[c] as number
        if (weight < 0.3) continue
        const chance = (fit.listing * factor(c)) ** 2 / weight
        const without = pooled.levelWithout[c] as number
        const withoutVariance = pooled.varianceWithout[c] as number
        const estimate = pooled.level[c] as number
        // The cell's own mean, recovered from the estimate it was mixed into.
        const own = estimate + (estimate - without) * (chance / withoutVariance)
        cell.add(own - without, withoutVariance - current.cell ** 2 + chance)
      }
      for (let v = 0; v < rows.steps.length; v += 1) {
        const precision = pooled.variantPrecision[v] as number
        if (precision === 0) continue
        variant.add(
          (pooled.variantMean[v] as number) - (pooled.variantLevelWithout[v] as number),
          (pooled.variantVarianceWithout[v] as number) - current.variant ** 2 + 1 / precision,
        )
      }
      if (listed && pooled.devicePrecision > 0) {
        devices += 1
        device.add(pooled.deviceMean, 1 / pooled.devicePrecision)
      }
      const step = Math.max(1, Math.floor(rows.size / ROWS_LOOKED_AT))
      for (let row = 0; row < rows.size; row += step) {
        const at = rows.cell[row] as number
        // As if the row had not been there: its own pull is taken back.
        const apart = Math.abs(fit.residual[row] as number) / Math.sqrt(1 - (fit.pull[row] as number))
        byRung[at % RUNG_COUNT]?.push(apart)
        standard.push(apart / factor(at))
        relative.push(apart / (fit.listing * factor(at)))
      }
    },
    learnt(): { spreads: Spreads; reach: number } {
      const rows = standard.length
      // Level, age and list slope were fitted on the same devices, which are closer to them than a new one will be.
      const freedom = Math.max(1, devices) / Math.max(1, devices - 1.5, devices / 2)
      const middle = rows ? quantile(standard, 0.5) / NORMAL_MEDIAN : current.listing
      const listing = Math.max(0.01, blend(middle, rows, start.listing, 10))
      const tail = rows
        ? quantile(relative, 0.8) / Math.max(0.3, quantile(relative, 0.5) / NORMAL_MEDIAN)
        : NORMAL_REACH
      const rungFactor = start.rungFactor.map((expected, rung) => {
        const own = byRung[rung] as number[]
        const factor = own.length
          ? blend(quantile(own, 0.5) / NORMAL_MEDIAN / listing, own.length, expected, 25)
          : expected
        return Math.max(0.5, Math.min(3, factor))
      })
      return {
        spreads: {
          ...current,
          listing,
          rungFactor,
          cell: cell.value(0.01, 0.2),
          variant: variant.value(LEAST_VARIANT, 0.2),
          device: device.value(0.05, 0.4, freedom),
        },
        reach: Math.max(1.1, Math.min(2.2, blend(tail, rows, NORMAL_REACH, 40))),
      }
    },
  }
}
