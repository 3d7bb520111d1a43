import { type Tier, tierIncludes } from '../contract/tiers.ts'
import { ApiError } from '../http/api-error.ts'
import type { SessionContext } from './session-route.ts'

/** What people explore is bounded by their organization's tier, as a key is by its own. */
export function requireTier(c: SessionContext, needed: Tier): void {
  const { tier } = c.get('organization')
  if (tierIncludes(tier, needed)) return
  throw new ApiError('FORBIDDEN', `This needs the ${needed} tier and the organization's is ${tier}.`)
}

/** Clerks follow the organization's policy; with another margin they could also find out what it is. */
export function forbidPolicyOverrides(c: SessionContext, request: { readonly policy?: unknown }): void {
  if (c.get('organization').role !== 'clerk' || request.policy === undefined) return
  throw new ApiError(
    'FORBIDDEN',
    'Only a manager or an owner of the organization may change the policy of an appraisal.',
  )
}
