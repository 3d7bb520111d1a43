/** Whether an amount can be the price of a device, or has the wrong unit: cents typed as dollars are a hundredfold. */
import { formatAmount } from '../currency/format-amount.ts'
import { invalid } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'

/** The 80 % range of the price that is served. `isObserved`: from observed prices, not from launch price and age alone. */
export type ExpectedPrice = { readonly low: number; readonly high: number; readonly isObserved: boolean }

export type PlausibleRange = { readonly low: number; readonly high: number }

/** How far beyond the expected range a price may lie. Ten times the price is outside of all of them. */
const OBSERVED = { timesHigh: 3, shareOfLow: 1 / 5 }
const UNOBSERVED = { timesHigh: 5, shareOfLow: 1 / 6 }
/** Limits of wide ranges, so that neither ten times the price nor a tenth of it passes. */
const TIMES_MIDDLE = 9
const MIN_SHARE_OF_HIGH = 1 / 12
/** Without an expected price. The highest real collectors' prices stay below it. */
const TIMES_LAUNCH_PRICE = 8
const SHARE_OF_LAUNCH_PRICE = 0.004
/** A sealed device may cost what it cost at launch, however old it is. */
const NEW_TIMES_LAUNCH_PRICE = 2
/** A device with defects may cost this share of a working one. */
const SHARE_OF_WORKING = 0.05

export type PricedState = { readonly isNew: boolean; readonly isDefective: boolean }

/** The plausible amounts in the unit of the arguments; null if neither a price nor the launch price is known. */
export function plausibleRange(
  expected: ExpectedPrice | null,
  launchPrice: number,
  { isNew, isDefective }: PricedState,
): PlausibleRange | null {
  if (!expected && launchPrice <= 0) return null
  const { timesHigh, shareOfLow } = expected?.isObserved ? OBSERVED : UNOBSERVED
  const low = expected
    ? Math.max(expected.low * shareOfLow, expected.high * MIN_SHARE_OF_HIGH)
    : launchPrice * SHARE_OF_LAUNCH_PRICE
  const high = expected
    ? Math.min(expected.high * timesHigh, Math.sqrt(expected.low * expected.high) * TIMES_MIDDLE)
    : launchPrice * TIMES_LAUNCH_PRICE
  return {
    low: Math.floor(isDefective ? low * SHARE_OF_WORKING : low),
    high: Math.ceil(isNew ? Math.max(high, launchPrice * NEW_TIMES_LAUNCH_PRICE) : high),
  }
}

export const isPlausible = (amount: number, range: PlausibleRange | null) =>
  range === null || (amount >= range.low && amount <= range.high)

const formatRange = ({ low, high }: PlausibleRange, currency: string) =>
  `${formatAmount(low, currency)} to ${formatAmount(high, currency)}`

/** The range and the unit, for the message of a rejected amount. */
export function describeRange(range: PlausibleRange, currency: string, subject = ' for this device'): string {
  const middle = Math.round(Math.sqrt(Math.max(1, range.low) * range.high))
  return `${formatRange(range, currency)}${subject} (minor units: ${middle} is ${formatAmount(middle, currency)})`
}

/** Throws for an amount outside of the range, in minor units of `currency`, that the caller has not confirmed. */
export function requirePlausibleAmount(
  field: string,
  amount: number,
  range: PlausibleRange | null,
  currency: string,
  subject?: string,
): void {
  if (range === null || isPlausible(amount, range)) return
  const described = describeRange(range, currency, subject)
  const expected = `${described}. If the amount is right, send "confirm_amount": true`
  throw invalid(field, amount, expected, reason('price_implausible', { ...range, currency }))
}
