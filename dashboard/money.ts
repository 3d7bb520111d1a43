import { formatAmount, minorUnitsPerUnit } from './format.ts'
import { useSession } from './session.tsx'

export type Money = {
  readonly currency: string
  /** Minor units. */
  readonly format: (amount: number | null, rounded?: boolean) => string
  /** Whole units, for estimates that are not precise to the cent. */
  readonly formatWhole: (amount: number | null) => string
  /** Such as "€120 – €160", in whole units. */
  readonly formatRange: (range: { readonly low: number | null; readonly high: number | null }) => string
  /** Stored amounts are US cents. */
  readonly fromUsCents: (cents: number) => number
  /** List prices are US prices, so in another currency they are only about right. */
  readonly formatListPrice: (usCents: number) => string
}

/** Amounts in the organization's currency. */
export function useMoney(): Money {
  const { organization } = useSession()
  return createMoney(organization?.currency ?? 'USD', organization?.units_per_usd ?? 1)
}

export function createMoney(currency: string, unitsPerUsd: number): Money {
  const format: Money['format'] = (amount, rounded) => formatAmount(amount, currency, rounded)
  const fromUsCents = (cents: number) => Math.round((cents / 100) * unitsPerUsd * minorUnitsPerUnit(currency))
  const formatWhole: Money['formatWhole'] = (amount) =>
    format(amount && roundEstimate(amount, minorUnitsPerUnit(currency)), true)
  return {
    currency,
    format,
    formatWhole,
    formatRange: ({ low, high }) => `${formatWhole(low)} – ${formatWhole(high)}`,
    fromUsCents,
    formatListPrice: (cents) => (currency === 'USD' ? format(cents) : `≈\u00a0${formatWhole(fromUsCents(cents))}`),
  }
}

/** No estimate is good to five digits: ₩425,400 and not ₩425,414. */
function roundEstimate(amount: number, unit: number): number {
  return Math.abs(amount) < 10_000 * unit ? amount : Number(amount.toPrecision(4))
}
