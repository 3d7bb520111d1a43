import { LRUCache } from 'lru-cache'
import type { Device, DeviceRegistry } from '../catalog/device.ts'
import type { ConditionClass } from '../catalog/grade.ts'
import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'
import { memoizeWeak } from '../lib/memoize.ts'
import { MONTH_MS } from '../lib/time.ts'
import { toDeviceInput } from './configuration.ts'
import { estimateDevice, firstResaleEstimate, type SideEstimate } from './model/estimate.ts'
import { priorMarket } from './model/market-fit.ts'
import { GRADE_COUNT, gradeIndex } from './model/observation-columns.ts'
import { PRIOR_COEFFICIENTS } from './model/prior-coefficients.ts'
import type { ExpectedPrice } from './plausible-amount.ts'

export type FirstPriceQuery = {
  readonly deviceId: string
  readonly configuration: string
  readonly grade: ConditionClass
  readonly isQuote: boolean
  readonly observedAt: number
}

export type FirstPriceRanges = (query: FirstPriceQuery) => ExpectedPrice | null

/** Ranges of one side of a device at a time take about a quarter of a kilobyte. */
const MAX_CACHED = 40_000
/** Plausible amounts are several times as wide as a device loses in this time. */
const STEP_MS = 3 * MONTH_MS

/** Of one side by variant and grade, in US cents; null if launch price and age say nothing. */
type SideRanges = {
  readonly variantIds: readonly string[]
  readonly low: Float64Array
  readonly high: Float64Array
} | null

/**
 * What launch price and age alone say a device cost at a time, in US cents; null if they say nothing. An unknown launch price is
 * estimated from similar devices of the registry, as for the prices that are served.
 */
export function createFirstPriceRanges(registry: DeviceRegistry, now: number): FirstPriceRanges {
  const markets = {
    resale: priorMarket('resale', PRIOR_COEFFICIENTS, now),
    buyback: priorMarket('buyback', PRIOR_COEFFICIENTS, now),
  }
  // The ranges alone: a whole estimate takes a hundred times as much.
  const cached = new LRUCache<string, { readonly ranges: SideRanges }>({ max: MAX_CACHED })

  const inputOf = memoizeWeak((device: Device) => toDeviceInput(device, registry))

  function estimate(device: Device, isQuote: boolean, at: number): SideEstimate {
    const input = inputOf(device)
    // Most rows are offers, and a buyback estimate needs both sides.
    return isQuote ? estimateDevice(markets, input, [], at).buyback : firstResaleEstimate(markets.resale, input, at)
  }

  function rangesOf(device: Device, isQuote: boolean, step: number): SideRanges {
    const key = `${device.id} ${isQuote ? 'quote' : 'ask'} ${step}`
    const known = cached.get(key)
    if (known) return known.ranges
    const ranges = sideRanges(estimate(device, isQuote, step * STEP_MS))
    cached.set(key, { ranges })
    return ranges
  }

  return ({ deviceId, configuration, grade, isQuote, observedAt }) => {
    const device = registry.findDevice(deviceId)
    if (!device) return null
    const ranges = rangesOf(device, isQuote, Math.floor(observedAt / STEP_MS))
    const variant = ranges?.variantIds.indexOf(configuration) ?? -1
    if (!ranges || variant < 0) return null
    const cellOf = (condition: Condition) => variant * GRADE_COUNT + gradeIndex(condition)
    // Grades other than the four may be anything between the best and the worst.
    const condition = CONDITIONS.find((candidate) => candidate === grade)
    return {
      low: ranges.low[cellOf(condition ?? 'Poor')] as number,
      high: ranges.high[cellOf(condition ?? 'Excellent')] as number,
      isObserved: false,
    }
  }
}

const sideRanges = ({ rows, quotedLevel, lowerHalfWidth, upperHalfWidth, hasBasis }: SideEstimate): SideRanges =>
  hasBasis
    ? {
        variantIds: rows.device.variants.map(({ variantId }) => variantId),
        low: Float64Array.from(quotedLevel, (level, cell) => Math.exp(level - (lowerHalfWidth[cell] as number))),
        high: Float64Array.from(quotedLevel, (level, cell) => Math.exp(level + (upperHalfWidth[cell] as number))),
      }
    : null
