import { loadBundle } from '../../dashboard/bundle.ts'
import type { AppraisalService } from '../appraisal/appraisal-service.ts'
import { appraisalStore } from '../appraisal/appraisal-store.ts'
import type { OutcomeService } from '../appraisal/outcome-service.ts'
import { policyStore } from '../appraisal/policy-store.ts'
import { receiptDetailsStore } from '../appraisal/receipt-details-store.ts'
import { shareStore } from '../appraisal/share-store.ts'
import { verificationRoutes } from '../appraisal/verification-routes.ts'
import { addressLimiterOn } from '../auth/rate-limit/address-limiter.ts'
import { memoryLimiter } from '../auth/rate-limit/memory-limiter-service.ts'
import { baseUrlOf, type Config } from '../config.ts'
import { sharedEndpoints } from '../contract/management.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import type { Database } from '../db/database.ts'
import { isDatabaseUnavailable } from '../db/database-errors.ts'
import { databaseErrorRethrower } from '../http/api-error.ts'
import type { ApiRoute, HttpContext } from '../http/context.ts'
import { dashboardPageRoutes } from '../http/dashboard-page-routes.ts'
import type { SiteRoute } from '../http/router.ts'
import type { Encryption } from '../lib/encryption.ts'
import { removeSecretFile, SETUP_CODE_FILE } from '../lib/secret-file.ts'
import type { MailService } from '../mail/mail-service.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { currencyOfMarket } from '../pricing/country-market.ts'
import { labourRate } from '../repairs/repair-market.ts'
import { dashboardApiRoutes, dashboardRoutes } from './dashboard-api.ts'
import { managementRoutes } from './management-api.ts'
import type { ServiceSettingsService } from './service-settings.ts'

type DashboardSiteDependencies = {
  readonly db: Database
  readonly appraisals: AppraisalService
  readonly outcomes: OutcomeService
  readonly rates: ExchangeRateService
  readonly deviceName: (id: string) => string | null
  readonly encryption: Encryption
  readonly mail: MailService
  readonly config: Config
  readonly settings: ServiceSettingsService
} & Pick<
  DashboardDependencies,
  ('auth' | 'people' | 'sessionAccountOf' | 'lookups' | 'addressOf') | ('removeOrganization' | 'oidc')
>

/** The dashboard and its API. */
export function dashboardSite({
  db,
  config,
  encryption,
  appraisals,
  outcomes,
  rates,
  deviceName,
  settings,
  ...services
}: DashboardSiteDependencies): { readonly siteRoutes: SiteRoute[]; readonly managementRoutes: ApiRoute[] } {
  const { take: takeRequest } = addressLimiterOn(memoryLimiter({ maxKeys: 50_000 }))
  const serviceMarket = () => settings.current().config.market
  const shares = shareStore(db, config.maxSharesPerOrganization)
  const rethrowDatabaseError = databaseErrorRethrower(isDatabaseUnavailable)
  const dependencies: DashboardDependencies = {
    ...services,
    currencyOfMarket: (market) => currencyOfMarket(market ?? serviceMarket(), rates.currencies()),
    limitsPerMinute: config.limitsPerMinute,
    baseUrl: () => baseUrlOf(config),
    sampleData: () => settings.current().config.sampleData,
    encryption,
    onSetUp: () => removeSecretFile(config.dataDir, SETUP_CODE_FILE),
    rethrowDatabaseError,
    takeFromAddressLimit: takeRequest,
    appraisal: {
      appraisals,
      outcomes,
      records: appraisalStore(db),
      policies: policyStore(db),
      receiptDetails: receiptDetailsStore(db),
      rates,
      labourOf: async (organizationId) =>
        labourRate(config, (await services.auth.organizationMarket(organizationId)) ?? serviceMarket()),
      serviceMarket,
      deviceName,
    },
  }
  const routes = dashboardRoutes(dependencies)
  const siteRoutes = [
    ...dashboardApiRoutes(dependencies, routes),
    ...verificationRoutes({
      addressOf: services.addressOf,
      takeFromAddressLimit: takeRequest,
      rethrowDatabaseError,
      shares,
    }),
    ...dashboardPageRoutes(loadBundle),
  ]
  const management = { ...dependencies, principalOf: (c: HttpContext) => c.get('principal') }
  return {
    siteRoutes,
    managementRoutes: managementRoutes(management, sharedEndpoints, routes),
  }
}
