import { loadBundle } from '../../dashboard/bundle.ts'
import { policyStore } from '../appraisal/policy-store.ts'
import { shareStore } from '../appraisal/share-store.ts'
import { verificationRoutes } from '../appraisal/verification-routes.ts'
import { baseUrlOf, type Config } from '../config.ts'
import { BASE_CURRENCY } from '../contract/currency.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import type { Database } from '../db/database.ts'
import { isDatabaseUnavailable } from '../db/database-errors.ts'
import { databaseErrorRethrower } from '../http/api-error.ts'
import { dashboardPageRoutes } from '../http/dashboard-page-routes.ts'
import type { SiteRoute } from '../http/router.ts'
import type { Encryption } from '../lib/encryption.ts'
import { removeSecretFile, SETUP_CODE_FILE } from '../lib/secret-file.ts'
import type { MailService } from '../mail/mail-service.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { currencyOfMarket } from '../pricing/country-market.ts'
import { dashboardApiRoutes, dashboardRoutes } from './dashboard-api.ts'
import type { ServiceSettingsService } from './service-settings.ts'

type DashboardSiteDependencies = {
  readonly db: Database
  readonly rates: ExchangeRateService
  readonly encryption: Encryption
  readonly mail: MailService
  readonly config: Config
  readonly settings: ServiceSettingsService
} & Pick<
  DashboardDependencies,
  ('auth' | 'people' | 'sessionAccountOf' | 'addressOf') | ('takeFromAddressLimit' | 'oidc')
>

/** The dashboard and its API. */
export function dashboardSite({
  db,
  config,
  encryption,
  rates,
  settings,
  ...services
}: DashboardSiteDependencies): SiteRoute[] {
  const serviceMarket = () => settings.current().config.market
  const shares = shareStore(db, config.maxSharesPerOrganization)
  const rethrowDatabaseError = databaseErrorRethrower(isDatabaseUnavailable)
  const dependencies: DashboardDependencies = {
    ...services,
    currencyOfMarket: (market) => currencyOfMarket(market ?? serviceMarket(), rates.currencies()),
    limitsPerMinute: config.limitsPerMinute,
    async moneyOf(organizationId) {
      const { currency = BASE_CURRENCY } = await policyStore(db).of(organizationId)
      return {
        currency,
        units_per_usd: rates.exchangeFor(currency).unitsPerUsd,
        market: (await services.auth.organizationMarket(organizationId)) ?? serviceMarket(),
      }
    },
    baseUrl: () => baseUrlOf(config),
    sampleData: () => settings.current().config.sampleData,
    encryption,
    onSetUp: () => removeSecretFile(config.dataDir, SETUP_CODE_FILE),
    rethrowDatabaseError,
    appraisal: {
      policies: policyStore(db),
      serviceMarket,
    },
  }
  const routes = dashboardRoutes(dependencies)
  return [
    ...dashboardApiRoutes(dependencies, routes),
    ...verificationRoutes({
      addressOf: services.addressOf,
      takeFromAddressLimit: services.takeFromAddressLimit,
      rethrowDatabaseError,
      shares,
    }),
    ...dashboardPageRoutes(loadBundle),
  ]
}
