import type { Device } from '../../catalog/device.ts'
import { CONDITIONS, type Condition } from '../../contract/condition-grades.ts'
import { defectsOfKind, deviceKind } from '../../contract/device-kinds.ts'
import type { CarrierLock } from '../../contract/pricing.ts'
import { invalid } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import { NORMAL_HALF_WIDTH80 } from '../model/quantile.ts'
import { confidenceOf, errorOfConfidence, expectedError } from './confidence.ts'
import type { PriceRange, Quote, SideQuote } from './quote.ts'

/** Throws for a carrier lock on a device that cannot have one. */
export function checkLock(lock: CarrierLock, device: Device, field = 'lock'): void {
  const kind = lock === 'locked' ? deviceKind(device) : null
  if (!kind || defectsOfKind(kind).some(({ code }) => code === 'carrier_locked')) return
  throw invalid(
    field,
    lock,
    `unlocked: ${device.name} (${kind}) has no carrier lock`,
    reason('no_carrier_lock', { device: device.name }),
  )
}

/** Converts the quote of an unlocked device to this lock. */
export function quoteWithLock(quote: Quote, lock: CarrierLock): Quote {
  if (lock === 'unlocked') return quote
  const resale = lockedSide(quote.resale)
  const lockError = expectedError(quote.resale.lockDiscount.spread)
  const error = Math.hypot(errorOfConfidence(quote.marketConfidence), lockError)
  return {
    ...quote,
    resale,
    buyback: lockedSide(quote.buyback, resale.cents),
    marketConfidence: Math.min(quote.marketConfidence, confidenceOf(error)),
  }
}

/** `ceiling`: resale prices, which buyback never exceeds. */
function lockedSide<Side extends SideQuote>(side: Side, ceiling: SideQuote['cents'] = null): Side {
  const { cents, interval, lockDiscount } = side
  if (!cents || !interval) return side
  const factor = Math.exp(lockDiscount.ln)
  const lockHalfWidth = NORMAL_HALF_WIDTH80 * lockDiscount.spread
  const amounts = {} as Record<Condition, number>
  const ranges = {} as Record<Condition, PriceRange>
  let better = Number.POSITIVE_INFINITY
  for (const condition of CONDITIONS) {
    const unlocked = Math.max(1, cents[condition])
    const { low, high } = interval[condition]
    // A price in whole dollars stays one.
    const step = cents[condition] % 100 === 0 ? 100 : 1
    const rounded = step * Math.round((cents[condition] * factor) / step)
    // Grades of which one is in whole dollars and the next is not may be rounded past each other.
    const amount = Math.min(rounded, better, ceiling?.[condition] ?? Number.POSITIVE_INFINITY)
    better = amount
    const below = Math.hypot(Math.log(unlocked / Math.max(1, low)), lockHalfWidth)
    const above = Math.hypot(Math.log(Math.max(1, high) / unlocked), lockHalfWidth)
    amounts[condition] = amount
    ranges[condition] = {
      low: Math.min(amount, Math.floor(unlocked * factor * Math.exp(-below))),
      high: Math.max(amount, Math.ceil(unlocked * factor * Math.exp(above))),
    }
  }
  return { ...side, cents: amounts, interval: ranges }
}
