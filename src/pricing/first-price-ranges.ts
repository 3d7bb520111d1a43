import { LRUCache } from 'lru-cache'
import type { Device } from '../catalog/device.ts'
import type { ConditionClass } from '../catalog/grade-word-table.ts'
import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'
import { MONTH_MS } from '../lib/time.ts'
import { toDeviceInput } from './configuration.ts'
import { estimateDevice } from './model/estimate.ts'
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

const MAX_CACHED = 5_000

/** What launch price and age alone say a device cost at a time, in US cents; null if they say nothing. */
export function createFirstPriceRanges(findDevice: (id: string) => Device | undefined, now: number): FirstPriceRanges {
  const markets = {
    resale: priorMarket('resale', PRIOR_COEFFICIENTS, now),
    buyback: priorMarket('buyback', PRIOR_COEFFICIENTS, now),
  }
  const estimates = new LRUCache<string, ReturnType<typeof estimateDevice>>({ max: MAX_CACHED })

  function estimateIn(device: Device, month: number) {
    const key = `${device.id} ${month}`
    const known = estimates.get(key)
    if (known) return known
    const estimate = estimateDevice(markets, toDeviceInput(device), [], month * MONTH_MS)
    estimates.set(key, estimate)
    return estimate
  }

  return ({ deviceId, configuration, grade, isQuote, observedAt }) => {
    const device = findDevice(deviceId)
    if (!device) return null
    const estimate = estimateIn(device, Math.floor(observedAt / MONTH_MS))
    const { rows, quotedLevel, lowerHalfWidth, upperHalfWidth, hasBasis } = isQuote ? estimate.buyback : estimate.resale
    const variant = rows.device.variants.findIndex(({ variantId }) => variantId === configuration)
    if (!hasBasis || variant < 0) return null
    const cellOf = (condition: Condition) => variant * GRADE_COUNT + gradeIndex(condition)
    // Grades other than the four may be anything between the best and the worst.
    const condition = CONDITIONS.find((candidate) => candidate === grade)
    const best = cellOf(condition ?? 'Excellent')
    const worst = cellOf(condition ?? 'Poor')
    return {
      low: Math.exp((quotedLevel[worst] as number) - (lowerHalfWidth[worst] as number)),
      high: Math.exp((quotedLevel[best] as number) + (upperHalfWidth[best] as number)),
      isObserved: false,
    }
  }
}
