import { BASE_CURRENCY } from '../contract/currency.ts'
import type { ReloadOnChange } from '../db/reload-on-change.ts'
import { invalid } from '../lib/errors.ts'
import { dayOf } from '../lib/time.ts'
import { type Exchange, exchangeFrom, US_DOLLARS } from './exchange.ts'
import type { ExchangeRateStore } from './exchange-rate-store.ts'

export type ExchangeRateService = {
  /** How amounts become those of a currency, by the newest rate; refused where there is none. */
  readonly exchangeFor: (currency: string | undefined, field?: string) => Exchange
  /** The currencies there is a rate for, dollars first. */
  readonly currencies: () => readonly string[]
  readonly close: () => void
}

/** The imported exchange rates, held in memory and following the store. */
export async function openExchangeRateService(options: {
  readonly store: ExchangeRateStore
  readonly now: () => number
  readonly follow: ReloadOnChange
}): Promise<ExchangeRateService> {
  let held = new Map<string, Exchange>()
  async function read(): Promise<void> {
    const rates = await options.store.newest(dayOf(options.now()))
    held = new Map(rates.map(({ currency, usdPerUnit: usd, day }) => [currency, exchangeFrom(currency, usd, day)]))
  }
  await read()
  const following = options.follow(read)
  const currencies = () => [BASE_CURRENCY, ...held.keys()]
  return {
    currencies,
    exchangeFor(currency, field = 'currency') {
      if (currency === undefined || currency === BASE_CURRENCY) return US_DOLLARS
      const known = held.get(currency)
      if (known) return known
      throw invalid(field, currency, `a currency there is a rate for: ${currencies().join(', ')}`)
    },
    close: following.close,
  }
}
