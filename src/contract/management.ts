import type { Endpoint } from './endpoint.ts'
import { importEndpoints } from './management-imports.ts'
import { memberEndpoints } from './management-members.ts'
import * as organization from './management-organization.ts'
import { policyEndpoints } from './management-policy.ts'
import type { SharedEndpoint } from './management-shared.ts'

export const sharedEndpoints: readonly SharedEndpoint[] = [
  ...memberEndpoints,
  ...policyEndpoints,
  ...importEndpoints,
  ...organization.usageEndpoints,
]

/** Endpoints for keys with the right to manage or operate. */
export const managementEndpoints: readonly Endpoint[] = [
  organization.getOrganizationUsage,
  ...sharedEndpoints.map(({ endpoint }) => endpoint),
]
