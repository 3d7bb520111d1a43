import { readServiceSettings, type ServiceSettings } from '../app/service-settings.ts'
import type { FirstTerms } from '../auth/organization-store.ts'
import { exchangeRateStore } from '../currency/exchange-rate-store.ts'
import { createRateLookup } from '../currency/rate-lookup.ts'
import type { Database } from '../db/database.ts'
import type { FeedSettings } from '../import/feeds/feed-settings.ts'
import { openEncryption } from '../lib/encryption.ts'
import { dayOf } from '../lib/time.ts'
import { currencyOfMarket, parseMarket } from '../pricing/country-market.ts'
import type { CommandContext } from './command.ts'

/** Market of prices and organizations that name none. */
export const defaultMarketOf = async (
  db: Database,
  context: Pick<CommandContext, 'config' | 'environment' | 'report'>,
) => (await storedSettings(db, context)).config.market

/** Market and currency of a new organization; the currency follows the market if there is a rate for it. */
export async function firstTerms(db: Database, context: CommandContext, requestedMarket?: string): Promise<FirstTerms> {
  const market = requestedMarket === undefined ? null : parseMarket(requestedMarket).code
  const rates = createRateLookup(await exchangeRateStore(db).newest(dayOf(context.now())))
  const currency = currencyOfMarket(market ?? (await defaultMarketOf(db, context)), rates.currencies)
  return { market, ...(currency ? { currency } : {}) }
}

/** The settings in effect: the configuration of this command and what was changed in the dashboard. */
export function storedSettings(
  db: Database,
  { config, environment, report }: Pick<CommandContext, 'config' | 'environment' | 'report'>,
  feeds: readonly FeedSettings[] = [],
): Promise<ServiceSettings> {
  return readServiceSettings(db, {
    ...{ config, environment, encryption: openEncryption(config), files: { providers: [], feeds } },
    onInvalid: (name, reasons) => report(`Skipping the stored setting ${name}: ${reasons.join('; ')}`),
  })
}
