import { BASE_CURRENCY } from '../contract/currency.ts'
import { invalid } from '../errors.ts'
import type { Follow } from '../follow.ts'
import { dayOf } from '../time.ts'
import { DOLLARS, type Exchange, exchangeOf } from './exchange.ts'
import type { ExchangeStore } from './exchange-store.ts'

export type Rates = {
  /** How amounts become those of a currency, by the newest rate; refused where there is none. */
  readonly exchange: (currency: string | undefined, field?: string) => Exchange
  /** The currencies there is a rate for, dollars first. */
  readonly currencies: () => readonly string[]
  readonly close: () => void
}

/** The imported exchange rates, held in memory and following the store. */
export async function openRates(options: {
  readonly store: ExchangeStore
  readonly now: () => number
  readonly follow: Follow
}): Promise<Rates> {
  let held = new Map<string, Exchange>()
  async function read(): Promise<void> {
    const rates = await options.store.newest(dayOf(options.now()))
    held = new Map(rates.map(({ currency, usd, day }) => [currency, exchangeOf(currency, usd, day)]))
  }
  await read()
  const following = options.follow(read)
  const currencies = () => [BASE_CURRENCY, ...held.keys()]
  return {
    currencies,
    exchange(currency, field = 'currency') {
      if (currency === undefined || currency === BASE_CURRENCY) return DOLLARS
      const known = held.get(currency)
      if (known) return known
      throw invalid(field, currency, `a currency there is a rate for: ${currencies().join(', ')}`)
    },
    close: following.close,
  }
}
