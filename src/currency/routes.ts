import { type CurrencyRateWire, listRates, updateRates } from '../contract/management-rates.ts'
import { type ApiRoute, route } from '../http/context.ts'
import type { Principal } from '../http/principal.ts'
import type { ExchangeRateService } from './exchange-rate-service.ts'

export type RateDependencies = {
  readonly rates: Pick<ExchangeRateService, 'exchangeFor' | 'currencies' | 'refresh'>
  /** Imports the newest reference rates of the European Central Bank. */
  readonly importRates: (actor: Principal['actor']) => Promise<void>
}

/** Exchange rates in use, which all organizations share. */
export function rateRoutes({ rates, importRates }: RateDependencies): ApiRoute[] {
  const present = (): CurrencyRateWire[] =>
    rates.currencies().flatMap((currency) => {
      const { rate } = rates.exchangeFor(currency)
      return rate ? { ...rate, currency } : []
    })

  return [
    route(listRates, () => ({ data: present() })),
    route(updateRates, async (c) => {
      await importRates(c.get('principal').actor)
      await rates.refresh()
      return { data: present() }
    }),
  ]
}
