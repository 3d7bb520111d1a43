import type { Endpoint } from './endpoint.ts'
import { importEndpoints } from './management-imports.ts'
import { memberEndpoints } from './management-members.ts'
import * as organization from './management-organization.ts'
import { policyEndpoints } from './management-policy.ts'
import type { SharedEndpoint } from './management-shared.ts'
import { webhookEndpoints } from './management-webhooks.ts'

export const sharedEndpoints: readonly SharedEndpoint[] = [
  ...memberEndpoints,
  ...policyEndpoints,
  ...webhookEndpoints,
  ...importEndpoints,
  ...organization.usageEndpoints,
  ...organization.auditEndpoints,
]

/** Endpoints for keys with the right to manage or operate. */
export const managementEndpoints: readonly Endpoint[] = [
  organization.listOrganizations,
  organization.createOrganization,
  organization.getOrganization,
  organization.changeOrganization,
  organization.removeOrganization,
  organization.getOrganizationUsage,
  ...sharedEndpoints.map(({ endpoint }) => endpoint),
]
