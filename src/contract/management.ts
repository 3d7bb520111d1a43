import { importEndpoints } from './management-imports.ts'
import { memberEndpoints } from './management-members.ts'
import { getPhoneAccess } from './management-phone.ts'
import { policyEndpoints } from './management-policy.ts'
import { listRates, updateRates } from './management-rates.ts'
import { serviceEndpoints } from './management-service-settings.ts'
import type { SharedEndpoint } from './management-shared.ts'
import { confirmTac, forgetTac, listTacs } from './management-tacs.ts'

export const sharedEndpoints: readonly SharedEndpoint[] = [...memberEndpoints, ...policyEndpoints]

/** Endpoints for keys with the right to manage or operate. */
export const managementEndpoints = [
  listTacs,
  confirmTac,
  forgetTac,
  listRates,
  updateRates,
  getPhoneAccess,
  ...importEndpoints,
  ...serviceEndpoints,
  ...sharedEndpoints.map(({ endpoint }) => endpoint),
] as const
