import { loadBundle } from '../../dashboard/bundle.ts'
import { shareStore } from '../appraisal/share-store.ts'
import { verificationRoutes } from '../appraisal/verification-routes.ts'
import { linkRoutes } from '../auth/accounts/link-routes.ts'
import { profileRoutes } from '../auth/accounts/profile-routes.ts'
import { setupRoutes } from '../auth/accounts/setup-routes.ts'
import { secondFactorRoutes } from '../auth/second-factor/second-factor-routes.ts'
import type { AccountDependencies } from '../auth/sign-in/account-dependencies.ts'
import { serveAccountRoutes } from '../auth/sign-in/account-route.ts'
import { signInRoutes } from '../auth/sign-in/sign-in-routes.ts'
import { oidcRoutes } from '../auth/sso/oidc-routes.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import * as databaseErrors from '../db/database-errors.ts'
import { databaseErrorRethrower } from '../http/api-error.ts'
import { dashboardPageRoutes } from '../http/dashboard-page-routes.ts'
import type { SiteRoute } from '../http/router.ts'
import { removeSecretFile, SETUP_CODE_FILE } from '../lib/secret-file.ts'

type DashboardDependencies = Omit<AccountDependencies, 'onSetUp' | 'rethrowDatabaseError'> & {
  readonly db: Database
  readonly config: Config
}

/** Pages for people: the dashboard with what only a person does, and verification of appraisals. */
export function dashboardRoutes({ db, config, ...services }: DashboardDependencies): SiteRoute[] {
  const dependencies: AccountDependencies = {
    ...services,
    onSetUp: () => removeSecretFile(config.dataDir, SETUP_CODE_FILE),
    rethrowDatabaseError: databaseErrorRethrower(databaseErrors),
  }
  const accountRoutes = [setupRoutes, signInRoutes, oidcRoutes, linkRoutes, profileRoutes, secondFactorRoutes]
  return [
    ...serveAccountRoutes(
      dependencies,
      accountRoutes.flatMap((routes) => routes(dependencies)),
    ),
    ...verificationRoutes({ ...dependencies, shares: shareStore(db, config.maxSharesPerOrganization) }),
    ...dashboardPageRoutes(loadBundle),
  ]
}
