import { slug } from '../catalog/device.ts'
import type { TradeInChangeWire, TradeInWire } from '../contract/trade-in.ts'
import { convertBetween, type Exchange } from '../currency/exchange.ts'

/** What an owner changed; amounts in `currency`. */
export type StoredTradeIn = Partial<TradeInWire>

/** The page of an organization, as a visitor reaches it. */
export type TradeInPage = {
  readonly organizationId: string
  readonly organizationName: string
  readonly stored: StoredTradeIn
}

const DEFAULTS = {
  enabled: false,
  share_percent: 95,
  valid_days: 14,
  categories: [],
  makes: [],
  terms: '',
  daily_prices: 200,
  domains: [],
  colour: '#0a6b62',
  retention_days: 90,
} as const satisfies Partial<TradeInWire>

/** In euro cents. */
const DEFAULT_MAX_PRICE = 60_000
const DEFAULT_ROUNDING = 100
const MIN_SLUG_LENGTH = 3
const MAX_SLUG_LENGTH = 40

type ExchangeFor = (currency: string) => Exchange

/** The settings in force, with amounts in the currency of the buying policy. */
export function tradeInSettings(
  stored: StoredTradeIn,
  {
    name,
    currency,
    exchangeFor,
  }: { readonly name: string; readonly currency: string; readonly exchangeFor: ExchangeFor },
): TradeInWire {
  const to = exchangeFor(currency)
  const own = (amount: number) => Math.max(1, convertBetween(amount, exchangeFor(stored.currency ?? currency), to))
  const ofEuro = (amount: number, digits: number) => {
    const converted = convertBetween(amount, exchangeFor('EUR'), to)
    return Math.max(1, Math.round(Number(converted.toPrecision(digits))))
  }
  return {
    ...DEFAULTS,
    ...stored,
    slug: stored.slug ?? suggestedSlug(name),
    rounding: stored.rounding === undefined ? ofEuro(DEFAULT_ROUNDING, 1) : own(stored.rounding),
    max_price: stored.max_price === undefined ? ofEuro(DEFAULT_MAX_PRICE, 2) : own(stored.max_price),
    currency,
  }
}

/** What is stored after a change. A change of one amount fixes the other in the same currency. */
export function changedTradeIn(
  before: TradeInWire,
  stored: StoredTradeIn,
  { currency, ...change }: TradeInChangeWire,
): StoredTradeIn {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const hasAmounts = change.rounding !== undefined || change.max_price !== undefined
  const amounts = { rounding: before.rounding, max_price: before.max_price, currency: currency ?? before.currency }
  return { ...stored, ...(hasAmounts ? amounts : {}), ...given }
}

function suggestedSlug(name: string): string {
  const text = slug(name).slice(0, MAX_SLUG_LENGTH).replace(/-$/, '')
  return text.length >= MIN_SLUG_LENGTH ? text : 'trade-in'
}

const isListed = (names: readonly string[], name: string) =>
  names.length === 0 || names.some((each) => each.toLowerCase() === name.toLowerCase())

/** Whether devices of this make and category are bought. */
export const buysDevice = (
  { categories, makes }: Pick<TradeInWire, 'categories' | 'makes'>,
  { category, make }: { readonly category: string; readonly make: string },
): boolean => isListed(categories, category) && isListed(makes, make)
