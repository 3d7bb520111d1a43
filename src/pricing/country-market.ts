import table from '../../data/markets.json' with { type: 'json' }
import { editDistance } from '../lib/edit-distance.ts'
import { invalid } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'

/** A country (or the European Union as a group) with its own price level. */
export type CountryMarket = {
  /** ISO 3166 code in lower case, or `eu`. */
  readonly code: string
  readonly name: string
  readonly currency: string
  /** Value added or sales tax, such as 0.25. */
  readonly taxRate: number
  /** Whether prices for consumers are shown with that tax. */
  readonly taxIncluded: boolean
}

/** Market of an installation that sets none. */
export const DEFAULT_MARKET = 'us'
/** Market of amounts in euros when no country of the euro area is named. */
const EURO_MARKET = 'eu'
/** Market of amounts in US dollars, which a few other countries also use. */
const DOLLAR_MARKET = 'us'
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['uk', 'gb'],
  ['el', 'gr'],
  ['usa', 'us'],
])
const MAX_SUGGESTIONS = 3

export const COUNTRY_MARKETS: readonly CountryMarket[] = table.markets.map((row) => ({
  code: row.code,
  name: row.name,
  currency: row.currency,
  taxRate: row.tax_percent / 100,
  taxIncluded: row.tax_included,
}))

const BY_CODE = new Map(COUNTRY_MARKETS.map((market) => [market.code, market]))
const BY_NAME = new Map(COUNTRY_MARKETS.map((market) => [market.name.toLowerCase(), market]))
const BY_CURRENCY = Map.groupBy(COUNTRY_MARKETS, ({ currency }) => currency)

const EU_COUNTRIES = new Set(
  'at be bg cy cz de dk ee es fi fr gr hr hu ie it lt lu lv mt nl pl pt ro se si sk'.split(' '),
)

/** Whether prices of a country are prices of a market: its own, or those of the members for `eu`. */
export function isPriceOf(market: string, country: string): boolean {
  return country === market || (market === EURO_MARKET && EU_COUNTRIES.has(country))
}

/** The share of tax that prices of a market are shown with. */
export function shownTaxRate(code: string): number {
  const market = BY_CODE.get(code)
  return market?.taxIncluded ? market.taxRate : 0
}

/** The market with this code or country name, in any case. */
export function findMarket(text: string): CountryMarket | undefined {
  const key = text.trim().toLowerCase()
  return BY_CODE.get(ALIASES.get(key) ?? key) ?? BY_NAME.get(key)
}

/** The market with this code or country name; the error names the nearest ones. */
export function parseMarket(text: string, field = 'market'): CountryMarket {
  const market = findMarket(text)
  if (market) return market
  const nearest = nearestMarkets(text).map(({ code, name }) => `${code} (${name})`)
  const hint = nearest.length ? ` (did you mean ${nearest.join(', ')}?)` : ''
  throw invalid(field, text, `a country code such as us, gb or hr, or eu${hint}`, reason('unknown_country', { text }))
}

/** Markets whose code, name or currency looks most like a text, best first. */
export function nearestMarkets(text: string): CountryMarket[] {
  const key = text.trim().toLowerCase().slice(0, 40)
  if (key === '') return []
  return COUNTRY_MARKETS.map((market) => ({ market, distance: distanceTo(market, key) }))
    .filter(({ distance }) => distance <= 2)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ market }) => market)
}

function distanceTo({ code, name, currency }: CountryMarket, key: string): number {
  const lowerName = name.toLowerCase()
  if (key === currency.toLowerCase()) return 0
  if (key.length >= 3 && lowerName.startsWith(key)) return 0.5
  const toName = key.length >= 4 ? editDistance(key, lowerName, 2) : 3
  const toCode = key.length <= 3 ? editDistance(key, code, 1) : 3
  return Math.min(toName, toCode)
}

/**
 * The market of a price that names none: the default market if it uses that currency, else the only market that does, `eu` for
 * euros and `us` for dollars; the default market for an unknown currency.
 */
export function marketOfCurrency(currency: string, defaultMarket: string): string {
  const users = BY_CURRENCY.get(currency.toUpperCase()) ?? []
  if (users.some(({ code }) => code === defaultMarket)) return defaultMarket
  if (users.length === 1) return users[0]?.code ?? defaultMarket
  if (users.some(({ code }) => code === DOLLAR_MARKET)) return DOLLAR_MARKET
  return users.some(({ code }) => code === EURO_MARKET) ? EURO_MARKET : defaultMarket
}

/** The currency of a market if there is a rate for it, otherwise undefined. */
export function currencyOfMarket(market: string, currenciesWithRate: readonly string[]): string | undefined {
  const { currency } = parseMarket(market)
  return currenciesWithRate.includes(currency) ? currency : undefined
}
