import { readServiceSettings, type ServiceSettings } from '../app/service-settings.ts'
import { authStore } from '../auth/auth-store.ts'
import { organizationService } from '../auth/organization-service.ts'
import { exchangeRateStore } from '../currency/exchange-rate-store.ts'
import { createRateLookup } from '../currency/rate-lookup.ts'
import type { Database } from '../db/database.ts'
import { openEncryption } from '../lib/encryption.ts'
import { dayOf } from '../lib/time.ts'
import { currencyOfMarket } from '../pricing/country-market.ts'
import { quotaStore } from '../usage/quota-store.ts'
import type { CommandContext } from './command.ts'

/** Market of prices and organizations that name none. */
export const defaultMarketOf = async (
  db: Database,
  context: Pick<CommandContext, 'config' | 'environment' | 'report'>,
) => (await storedSettings(db, context)).config.market

/** The organizations of the service, as the API has them. */
export const organizationsOf = (db: Database, context: CommandContext) =>
  organizationService(
    {
      auth: authStore(db),
      quotas: quotaStore(db),
      currencyOfMarket: (market) => newOrganizationCurrency(db, context, market),
    },
    context.now,
  )

/** Currency of a new organization of a market, null for the service's; undefined if it has no exchange rate. */
async function newOrganizationCurrency(
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
