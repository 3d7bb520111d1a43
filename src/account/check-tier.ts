import { covers, type Tier } from '../contract/tiers.ts'
import { ApiError } from '../http/api-error.ts'
import type { AccountContext } from './route.ts'

/** What people explore is bounded by their organization's tier, as a key is by its own. */
export function checkTier(c: AccountContext, needed: Tier): void {
  const { tier } = c.get('organization')
  if (covers(tier, needed)) return
  throw new ApiError('FORBIDDEN', `This needs the ${needed} tier and the organization's is ${tier}.`)
}
