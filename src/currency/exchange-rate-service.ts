import { BASE_CURRENCY } from '../contract/currency.ts'
import type { ReloadOnChange } from '../db/reload-on-change.ts'
import { memoize } from '../lib/memoize.ts'
import { dayNumber, dayOf } from '../lib/time.ts'
import { type Exchange, findExchange } from './exchange.ts'
import type { ExchangeRateStore } from './exchange-rate-store.ts'
import { createRateLookup, type RateLookup } from './rate-lookup.ts'

const MAX_CACHED = 20_000

export type ExchangeOn = (currency: string, day: string) => Exchange

export type ExchangeRateService = {
  /** The newest rate of a currency; throws if there is none. */
  readonly exchangeFor: (currency: string | undefined, field?: string) => Exchange
  /** Rates of past days, from a first day on: the newest on or before a day; the newest of all if there is none. */
  readonly ratesSince: (day: string, currencies: readonly string[]) => Promise<ExchangeOn>
  /** Currencies with a rate, US dollars first. */
  readonly currencies: () => readonly string[]
  /** Resolves when every rate written before the call is in use. */
  readonly refresh: () => Promise<void>
  readonly close: () => void
}

/** Imported and bundled exchange rates in memory, reloaded on change. */
export async function openExchangeRateService(options: {
  readonly store: Pick<ExchangeRateStore, 'newest' | 'since'>
  readonly now: () => number
  readonly reloadOnChange: ReloadOnChange
}): Promise<ExchangeRateService> {
  let rates: RateLookup
  /** By currency and day, so that results computed from an exchange can be cached by it. */
  let exchanges = new Map<string, Exchange>()
  async function reload(): Promise<void> {
    rates = createRateLookup(await options.store.newest(dayOf(options.now())))
    exchanges = new Map()
  }
  function exchangeFor(currency: string | undefined, field?: string): Exchange {
    const now = options.now()
    const key = `${currency} ${dayNumber(now)}`
    const cached = exchanges.get(key)
    if (cached) return cached
    const exchange = findExchange(rates, currency, dayOf(now), field)
    exchanges.set(key, exchange)
    return exchange
  }
  async function ratesSince(firstDay: string, currencies: readonly string[]): Promise<ExchangeOn> {
    const past = createRateLookup(await options.store.since(firstDay, currencies))
    const findCached = memoize(MAX_CACHED, (key: string) => {
      const [currency, day] = [key.slice(0, 3), key.slice(3)]
      const isKnown = currency === BASE_CURRENCY || past.find(currency, day)
      return isKnown ? findExchange(past, currency, day) : exchangeFor(currency)
    })
    return (currency, day) => findCached(currency + day)
  }
  await reload()
  const reloader = options.reloadOnChange(reload)
  return {
    currencies: () => rates.currencies,
    exchangeFor,
    ratesSince,
    refresh: reloader.refresh,
    close: reloader.close,
  }
}
