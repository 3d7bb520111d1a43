import { authStore } from '../../src/auth/auth-store.ts'
import { organizationService } from '../../src/auth/organization-service.ts'
import type { Database } from '../../src/db/database.ts'
import { quotaStore } from '../../src/usage/quota-store.ts'

/** Organizations of a database whose policies are in US dollars. */
export const newOrganizations = (db: Database) =>
  organizationService({ auth: authStore(db), quotas: quotaStore(db), currencyOfMarket: () => undefined })
