import { authorOf } from '../auth/actor.ts'
import type { DefectCode } from '../contract/defects.ts'
import type { StockChangeWire, StockCostKind, StockItemWire, StockStatus } from '../contract/stock.ts'
import type { AuthorWire } from '../contract/values.ts'
import { minorUnitDigits } from '../currency/minor-units.ts'
import { sortableId } from '../lib/id.ts'
import { DAY_MS, dayOf, isoInstant, startOfDay } from '../lib/time.ts'
import { plausibleRange, requirePlausibleAmount } from '../pricing/plausible-amount.ts'
import { chanceToSell, type MarketToday, priceOfToday } from './stock-market.ts'

type StockDeal = { readonly price: number; readonly currency: string; readonly date: string }

export type StockPhoto = { readonly id: string; readonly image: string }

export type StockCost = {
  readonly id: string
  readonly kind: StockCostKind
  readonly note: string
  /** In minor units of the currency of the purchase. */
  readonly amount: number
  readonly minutes: number | null
  readonly date: string
  readonly created_by: AuthorWire
}

/** A bought device with the prices of its outcome. */
export type StockItem = {
  readonly id: string
  readonly number: number
  readonly status: StockStatus
  readonly deviceId: string | null
  readonly deviceName: string
  readonly grade: string | null
  readonly defects: readonly DefectCode[]
  /** Variant, grade and market whose price is suggested; null for a device with defects. */
  readonly variantId: string | null
  readonly pricedGrade: string | null
  readonly market: string | null
  readonly identifier: string | null
  readonly secondIdentifier: string | null
  readonly reference: string | null
  readonly purchaseId: string | null
  readonly bought: StockDeal
  readonly boughtAt: number
  readonly boughtBy: AuthorWire
  readonly sold: (StockDeal & { readonly channel: string | null }) | null
  readonly soldBy: AuthorWire | null
  readonly costs: readonly StockCost[]
  readonly askingPrice: number | null
  readonly location: string | null
  readonly reservedFor: string | null
  readonly photoCount: number
  /** Undefined in lists. */
  readonly photos?: readonly StockPhoto[] | undefined
  /** Sale price that the appraisal expected. */
  readonly expectedSale: { readonly amount: number; readonly currency: string } | null
  readonly updatedAt: number
}

/** Converts an amount between two currencies at the latest rates. */
type Convert = (amount: number, from: string, to: string) => number

export type SuggestedPrice = {
  readonly amount: number
  readonly basis: NonNullable<StockItemWire['suggestion_basis']>
  /** Null unless it is the current price. */
  readonly market: MarketToday | null
}

const totalCost = ({ bought, costs }: Pick<StockItem, 'bought' | 'costs'>): number =>
  costs.reduce((sum, { amount }) => sum + amount, bought.price)

const daysInStock = ({ bought, sold }: Pick<StockItem, 'bought' | 'sold'>, now: number): number =>
  Math.max(0, Math.round((startOfDay(sold?.date ?? dayOf(now)) - startOfDay(bought.date)) / DAY_MS))

/** `seesMargins`: whether the caller may see what the device cost in total and earned. */
export function presentStockItem(
  item: StockItem,
  suggestion: SuggestedPrice | null,
  { now, seesMargins, convert }: { readonly now: number; readonly seesMargins: boolean; readonly convert: Convert },
): StockItemWire {
  const { bought, sold, askingPrice } = item
  const cost = totalCost(item)
  const days = daysInStock(item, now)
  const market = sold ? null : (suggestion?.market ?? null)
  const unit = 10 ** minorUnitDigits(bought.currency)
  return {
    id: item.id,
    number: item.number,
    status: item.status,
    device_id: item.deviceId,
    device_name: item.deviceName,
    grade: item.grade,
    defects: [...item.defects],
    identifier: item.identifier,
    second_identifier: item.secondIdentifier,
    reference: item.reference,
    purchase_id: item.purchaseId,
    bought: { ...bought },
    bought_at: isoInstant(item.boughtAt),
    bought_by: item.boughtBy,
    sold: sold && { ...sold },
    sold_by: item.soldBy,
    days_in_stock: days,
    currency: bought.currency,
    costs: item.costs.map((each) => ({ ...each })),
    ...(seesMargins && {
      total_cost: cost,
      profit: sold && Math.round(convert(sold.price, sold.currency, bought.currency)) - cost,
    }),
    asking_price: askingPrice,
    suggested_price: suggestion?.amount ?? null,
    suggestion_basis: suggestion?.basis ?? null,
    market_price: market && { amount: market.amount, low: market.low, high: market.high },
    chance_to_sell: market && chanceToSell(askingPrice ?? market.amount, market),
    reprice: market && item.reservedFor === null ? priceOfToday(askingPrice, market, days, unit) : null,
    reserved_for: item.reservedFor,
    location: item.location,
    photo_count: item.photoCount,
    ...(item.photos && { photos: item.photos.map((each) => ({ ...each })) }),
    updated_at: isoInstant(item.updatedAt),
  }
}

/** The costs after a change: those with a known id keep their author, and minutes alone count at the labour rate. */
export function nextCosts(
  current: readonly StockCost[],
  requested: NonNullable<StockChangeWire['costs']>,
  { author, now, labourPerHour }: { readonly author: AuthorWire; readonly now: number; readonly labourPerHour: number },
): StockCost[] {
  return requested.map(({ id, kind, note = '', amount, minutes = null, date }) => {
    const before = current.find((cost) => cost.id === id)
    return {
      id: before?.id ?? sortableId('cost', now),
      kind,
      note,
      amount: amount ?? Math.round(((minutes ?? 0) * labourPerHour) / 60),
      minutes,
      date: date ?? before?.date ?? dayOf(now),
      created_by: before?.created_by ?? authorOf(author),
    }
  })
}

/** A tenth of the price is a wrong unit, also where the device was bought for little more. */
const MIN_SHARE_OF_HIGHEST = 1 / 9
/** Nobody spends much more on a device than it is worth; ten times a usual repair is more. */
const MAX_COST_SHARE = 1.5

/** Throws for an asking price in the wrong unit, and for a cost above what the device can be worth. */
export function requirePlausibleAmounts(
  { bought, askingPrice: askedBefore, costs: before }: Pick<StockItem, 'bought' | 'askingPrice' | 'costs'>,
  {
    askingPrice,
    costs = [],
  }: { readonly askingPrice?: number | null | undefined; readonly costs?: StockChangeWire['costs'] },
  suggestion: SuggestedPrice | null,
): void {
  const known = [bought.price, suggestion?.amount ?? 0].filter((amount) => amount > 0)
  if (known.length === 0) return
  const expected = { low: Math.min(...known), high: Math.max(...known), isObserved: false }
  const range = plausibleRange(expected, 0, { isNew: false, isDefective: false })
  if (!range) return
  const lowest = Math.floor(expected.high * MIN_SHARE_OF_HIGHEST)
  if (typeof askingPrice === 'number' && askingPrice !== askedBefore)
    requirePlausibleAmount('asking_price', askingPrice, { ...range, low: Math.max(range.low, lowest) }, bought.currency)
  const highestCost = Math.round(expected.high * MAX_COST_SHARE)
  for (const [at, { id, amount }] of costs.entries()) {
    const isKnown = before.some((cost) => cost.id === id && cost.amount === amount)
    if (amount === undefined || isKnown) continue
    requirePlausibleAmount(`costs.${at}.amount`, amount, { low: 0, high: highestCost }, bought.currency)
  }
}
