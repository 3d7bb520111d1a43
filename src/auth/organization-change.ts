import type { z } from 'zod'
import type { changeOrganization } from '../contract/management-organization.ts'
import type { QuotaStore } from '../usage/quota-store.ts'
import type { Actor } from './actor.ts'
import type { AuthStore } from './auth-store.ts'

/** Fields to change; those that are absent stay. */
export type OrganizationChange = z.output<NonNullable<(typeof changeOrganization)['body']>['schema']>

type OrganizationStores = { readonly auth: AuthStore; readonly quotas: Pick<QuotaStore, 'setQuota'> }

export async function applyOrganizationChange(
  { auth, quotas }: OrganizationStores,
  id: string,
  { name, tier, limit_per_minute: limit, quota, market, common_source: isCommon }: OrganizationChange,
  actor: Actor,
  now: number,
): Promise<void> {
  // First: the market is the only field that can still be rejected.
  if (market !== undefined) await auth.setMarket(id, market, actor, now)
  if (name !== undefined) await auth.renameOrganization(id, name, actor, now)
  if (tier !== undefined) await auth.setTier(id, tier, actor, now)
  if (limit !== undefined) await auth.setLimit(id, limit, actor, now)
  if (quota !== undefined) {
    const stored = quota && { monthlyRequests: quota.monthly_requests, isHard: quota.is_hard }
    await quotas.setQuota(id, stored, actor, now)
  }
  if (isCommon !== undefined) await auth.setCommonSource(id, isCommon, actor, now)
}
