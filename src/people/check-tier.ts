import { type Tier, tierIncludes } from '../contract/tiers.ts'
import { ApiError } from '../http/api-error.ts'
import type { SessionContext } from './session-route.ts'

/** In the dashboard the tier of the organization applies, as the tier of a key does in the API. */
export function requireTier(c: SessionContext, needed: Tier): void {
  const { tier } = c.get('organization')
  if (tierIncludes(tier, needed)) return
  throw new ApiError('FORBIDDEN', `This needs the ${needed} tier; the tier of the organization is ${tier}.`)
}
