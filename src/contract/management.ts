import { importEndpoints } from './management-imports.ts'
import { memberEndpoints } from './management-members.ts'
import { getPhoneAccess } from './management-phone.ts'
import { listRates, updateRates } from './management-rates.ts'
import { serviceEndpoints } from './management-service-settings.ts'
import { changeSettings, getSettings } from './management-settings.ts'
import { confirmTac, forgetTac, listTacs } from './management-tacs.ts'

/** Endpoints for keys with the right to manage or operate. */
export const managementEndpoints = [
  getSettings,
  changeSettings,
  ...memberEndpoints,
  listTacs,
  confirmTac,
  forgetTac,
  listRates,
  updateRates,
  getPhoneAccess,
  ...importEndpoints,
  ...serviceEndpoints,
] as const
