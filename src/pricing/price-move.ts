/**
 * How far new prices may move an organization's own prices. Once several of its prices of a device are older than a day, at most
 * two unconfirmed prices a day may deviate from them by about a third: more could move what it offers by more than that.
 */
import { isDefectGrade } from '../catalog/grade.ts'
import type { FirstPriceQuery, FirstPriceRanges } from './first-price-ranges.ts'
import { median } from './model/quantile.ts'

/** Prices that arrived within this time count together: a file, its correction and the deals of a day. */
export const MOVE_WINDOW_MS = 24 * 60 * 60 * 1000

/** Slightly less than a third, because two prices beyond it are accepted. */
const MAX_RISE = Math.log(1.3)
const MAX_FALL = -Math.log(0.7)
/** So many prices of a device are its own price. The first list of an organization is never questioned. */
const MIN_OWN_PRICES = 3
const MAX_UNCONFIRMED = 2

export type MovingPrice = Omit<FirstPriceQuery, 'deviceId'> & {
  readonly cents: number
  /** Empty, except in the common market, where each source has its own level. */
  readonly source: string
}
export type OwnPrice = MovingPrice & { readonly isRecent: boolean }

export const LARGE_MOVE = 'moves_own_price'

export type MoveLimit = {
  /** The own price that a new price deviates from by too much, in US cents; undefined if it counts. */
  exceededBy(price: MovingPrice): number | undefined
  /** Takes a price that counts or was confirmed into account for the next ones. */
  add(price: MovingPrice): void
}

/** The limit of a device in an organization, or in the common market. */
export type MoveLimits = (organizationId: string, deviceId: string, now: number) => Promise<MoveLimit>

const NO_LIMIT: MoveLimit = { exceededBy: () => undefined, add: () => {} }

type Levels = { readonly earlier: number[]; readonly deviating: number[]; center?: number }

/** The limit of one device. Prices are compared by their distance from the first price of their configuration and grade. */
export function createMoveLimit(
  deviceId: string,
  prices: readonly OwnPrice[],
  firstPriceOf: FirstPriceRanges,
): MoveLimit {
  if (prices.filter(({ isRecent }) => !isRecent).length < MIN_OWN_PRICES) return NO_LIMIT
  const levels = new Map<string, Levels>()

  function measure(price: MovingPrice) {
    const { configuration, grade, isQuote, source, cents } = price
    const firstPrice = firstPriceOf({ ...price, deviceId })
    const reference = firstPrice ? Math.sqrt(firstPrice.low * firstPrice.high) : 1
    // Without a first price only equal devices are compared.
    const key = `${isQuote}\t${source}${firstPrice ? '' : `\t${configuration}\t${grade}`}`
    return { key, reference, level: Math.log(cents / reference) }
  }

  const isNear = (level: number, center: number) => level - center <= MAX_RISE && center - level <= MAX_FALL

  for (const price of prices) {
    if (price.isRecent || price.cents <= 0 || isDefectGrade(price.grade)) continue
    const { key, level } = measure(price)
    levels.getOrInsertComputed(key, (): Levels => ({ earlier: [], deviating: [] })).earlier.push(level)
  }
  for (const [key, entry] of levels) {
    if (entry.earlier.length < MIN_OWN_PRICES) levels.delete(key)
    else entry.center = median(Float64Array.from(entry.earlier))
  }

  function add(price: MovingPrice): void {
    const { key, level } = measure(price)
    const entry = levels.get(key)
    if (entry?.center !== undefined && !isNear(level, entry.center)) entry.deviating.push(level)
  }
  for (const price of prices) if (price.isRecent && price.cents > 0) add(price)

  return {
    exceededBy(price) {
      if (isDefectGrade(price.grade) || price.cents <= 0) return undefined
      const { key, level, reference } = measure(price)
      const { center, deviating = [] } = levels.get(key) ?? {}
      if (center === undefined || isNear(level, center) || deviating.length < MAX_UNCONFIRMED) return undefined
      // More than two deviate only after a confirmation: then their level is the own price as well.
      if (deviating.length > MAX_UNCONFIRMED && isNear(level, median(Float64Array.from(deviating)))) return undefined
      return Math.round(reference * Math.exp(center))
    },
    add,
  }
}
