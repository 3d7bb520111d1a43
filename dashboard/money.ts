import type { VariantWire } from '../src/contract/variant.ts'
import { formatAmount, minorUnitsPerUnit } from './format.ts'
import { useSession } from './session.tsx'

type ListedVariant = Pick<VariantWire, 'price' | 'list_prices'>

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
  /** Exact in the organization's market if that price is known; otherwise converted from US dollars, which is only about right. */
  readonly formatListPrice: (variant: ListedVariant) => string
  /** The amount that `formatListPrice` formats. */
  readonly listPrice: (variant: ListedVariant) => number
}

/** Amounts in the organization's currency. */
export function useMoney(): Money {
  const { organization } = useSession()
  return createMoney(
    organization?.currency ?? 'USD',
    organization?.units_per_usd ?? 1,
    organization?.market,
    organization?.market_tax,
  )
}

/** `shownTax`: the share of tax that prices of the market are shown with; US list prices have none. */
export function createMoney(currency: string, unitsPerUsd: number, market = 'us', shownTax = 0): Money {
  const format: Money['format'] = (amount, rounded) => formatAmount(amount, currency, rounded)
  const fromUsCents = (cents: number) => Math.round((cents / 100) * unitsPerUsd * minorUnitsPerUnit(currency))
  const formatWhole: Money['formatWhole'] = (amount) =>
    format(amount && roundEstimate(amount, minorUnitsPerUnit(currency)), true)
  const localListPrice = ({ list_prices: listPrices }: ListedVariant) =>
    listPrices.find((listed) => listed.market === market && listed.currency === currency)?.amount ?? null
  const converted = ({ price }: ListedVariant) => fromUsCents(price * (1 + shownTax))
  return {
    currency,
    format,
    formatWhole,
    formatRange: ({ low, high }) => `${formatWhole(low)} – ${formatWhole(high)}`,
    fromUsCents,
    listPrice: (variant) => localListPrice(variant) ?? converted(variant),
    formatListPrice(variant) {
      const exact = localListPrice(variant) ?? (currency === 'USD' && shownTax === 0 ? variant.price : null)
      return exact === null ? `≈\u00a0${formatWhole(converted(variant))}` : format(exact)
    },
  }
}

/** No estimate is good to five digits: ₩425,400 and not ₩425,414. */
function roundEstimate(amount: number, unit: number): number {
  return Math.abs(amount) < 10_000 * unit ? amount : Number(amount.toPrecision(4))
}
