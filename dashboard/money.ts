import { formatAmount, minorUnitsPerUnit } from './format.ts'
import { useSession } from './session.tsx'

export type Money = {
  readonly currency: string
  /** Minor units; `rounded` to whole units for estimates that are not precise to the cent. */
  readonly format: (amount: number | null, rounded?: boolean) => string
  readonly formatWhole: (amount: number | null) => string
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
  return {
    currency,
    format,
    formatWhole: (amount) => format(amount, true),
    fromUsCents,
    formatListPrice: (cents) => (currency === 'USD' ? format(cents) : `≈\u00a0${format(fromUsCents(cents), true)}`),
  }
}
