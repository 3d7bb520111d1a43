import { BASE_CURRENCY } from '../../contract/currency.ts'
import { formatAmount } from '../../currency/format-amount.ts'

/** Above these limits a person should review the list before it is imported. */
const MAX_AVERAGE_PERCENT = 10
const MAX_SINGLE_PERCENT = 50

export type PriceEffect = {
  /** Devices whose prices were compared; those with most rows come first. */
  readonly devices: number
  /** Mean change in percent over all compared configurations. */
  readonly averagePercent: number
  /** `before` and `after` in US cents. */
  readonly largest: readonly {
    readonly deviceId: string
    readonly name: string
    readonly percent: number
    readonly before: number
    readonly after: number
  }[]
  /** Prices that would differ from the first price, which launch price and age give, by more than half; in US cents. */
  readonly departures: readonly {
    readonly deviceId: string
    readonly name: string
    readonly firstPrice: number
    readonly after: number
  }[]
  /** Devices without prices in the list that follow it. */
  readonly others: {
    readonly devices: number
    readonly averagePercent: number
    readonly largest: readonly { readonly deviceId: string; readonly name: string; readonly percent: number }[]
  }
}

export const isDeparture = (firstPrice: number, after: number) =>
  Math.abs(after / firstPrice - 1) * 100 > MAX_SINGLE_PERCENT

/** `Moves prices by −3 % on average, most: PS5 +18 %.` */
/** `Also moves 4,090 other devices by +9 % on average, the most: iPhone 12 +24 %.` Empty if it moves none. */
export function formatAlsoMoved({ devices, averagePercent, largest }: PriceEffect['others']): string {
  if (devices === 0) return ''
  const most = largest.map(({ name, percent }) => `${name} ${signed(percent)}`).join(', ')
  return `Also moves ${devices.toLocaleString('en')} other devices by ${signed(averagePercent)} on average, the most: ${most}.`
}

const signed = (percent: number) => `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent)} %`

export function formatPriceEffect({ devices, averagePercent, largest, departures, others }: PriceEffect): string {
  if (devices === 0 || largest.length === 0)
    return 'Changes no prices: no accepted row is both new and at most 400 days old.'
  const money = (cents: number) => formatAmount(cents, BASE_CURRENCY)
  // Both numbers, where the list may have the wrong unit or be about other devices.
  const amounts = ({ percent, before, after }: PriceEffect['largest'][number]) =>
    Math.abs(percent) > MAX_SINGLE_PERCENT ? ` (${money(before)} → ${money(after)})` : ''
  const largestText = largest.map((move) => `${move.name} ${signed(move.percent)}${amounts(move)}`).join(', ')
  const departing = departures.map(
    ({ name, firstPrice, after }) => `${name} ${money(after)} (first price ${money(firstPrice)})`,
  )
  const departureText =
    departing.length > 0 ? ` More than half away from the first price: ${departing.join(', ')}.` : ''
  return `Moves prices by ${signed(averagePercent)} on average, most: ${largestText}.${departureText}${others.devices > 0 ? ` ${formatAlsoMoved(others)}` : ''}`
}

export const isLargeEffect = ({ averagePercent, largest, departures }: PriceEffect) =>
  departures.length > 0 ||
  Math.abs(averagePercent) > MAX_AVERAGE_PERCENT ||
  largest.some(({ percent }) => Math.abs(percent) > MAX_SINGLE_PERCENT)
