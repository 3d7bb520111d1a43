import { type MemberDependencies, memberRoutes } from '../auth/accounts/member-routes.ts'
import { type AuditRouteOptions, auditRoute } from '../auth/audit-routes.ts'
import type { AuthStore } from '../auth/auth-store.ts'
import { keyRoutes } from '../auth/key-routes.ts'
import { keyService } from '../auth/key-service.ts'
import { type OrganizationDependencies, organizationRoutes } from '../auth/organization-routes.ts'
import type { ApiRoute } from '../http/context.ts'
import { type AttentionDependencies, attentionRoute } from './attention-route.ts'
import { type OrganizationSettingsDependencies, organizationSettingsRoutes } from './organization-settings-routes.ts'

type OrganizationManagementDependencies = OrganizationDependencies &
  OrganizationSettingsDependencies &
  MemberDependencies &
  AuditRouteOptions &
  AttentionDependencies & { readonly auth: AuthStore }

/** What an organization manages: its settings, members and keys, and for the operator the organizations themselves. */
export const organizationManagement = (dependencies: OrganizationManagementDependencies): ApiRoute[] => [
  ...organizationRoutes(dependencies),
  ...organizationSettingsRoutes(dependencies),
  ...memberRoutes(dependencies),
  ...keyRoutes(keyService(dependencies.auth)),
  auditRoute(dependencies),
  attentionRoute(dependencies),
]
