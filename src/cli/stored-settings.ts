import { readServiceSettings, type ServiceSettings } from '../app/service-settings.ts'
import { exchangeRateStore } from '../currency/exchange-rate-store.ts'
import { createRateLookup } from '../currency/rate-lookup.ts'
import type { Database } from '../db/database.ts'
import { openEncryption } from '../lib/encryption.ts'
import { dayOf } from '../lib/time.ts'
import { currencyOfMarket } from '../pricing/country-market.ts'
import type { CommandContext } from './command.ts'

/** Market of prices and organizations that name none. */
export const defaultMarketOf = async (
  db: Database,
  context: Pick<CommandContext, 'config' | 'environment' | 'report'>,
) => (await storedSettings(db, context)).config.market

/** Currency of a new organization of a market, null for the service's; undefined if it has no exchange rate. */
export async function newOrganizationCurrency(
  db: Database,
  context: CommandContext,
  market: string | null,
): Promise<string | undefined> {
  const { currencies } = createRateLookup(await exchangeRateStore(db).newest(dayOf(context.now())))
  return currencyOfMarket(market ?? (await defaultMarketOf(db, context)), currencies)
}

/** The settings in effect: the configuration of this command and what was changed in the dashboard. */
export function storedSettings(
  db: Database,
  { config, environment, report }: Pick<CommandContext, 'config' | 'environment' | 'report'>,
): Promise<ServiceSettings> {
  return readServiceSettings(db, {
    config,
    environment,
    encryption: openEncryption(config),
    onInvalid: (name, reasons) => report(`Skipping the stored setting ${name}: ${reasons.join('; ')}`),
  })
}
