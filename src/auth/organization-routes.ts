import type { z } from 'zod'
import {
  changeOrganization,
  createOrganization,
  getOrganization,
  listOrganizations,
  type OrganizationWire,
  removeOrganization,
} from '../contract/management-organization.ts'
import { DONE } from '../contract/management-shared.ts'
import { CURSOR_LIMIT } from '../contract/paging.ts'
import type { QuotaWire } from '../contract/usage.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { unknownId } from '../lib/errors.ts'
import { isoInstant } from '../lib/time.ts'
import { parseMarket } from '../pricing/country-market.ts'
import type { Actor } from './actor.ts'
import type { AuthStore, Organization } from './auth-store.ts'

type OrganizationChange = z.output<NonNullable<(typeof changeOrganization)['body']>['schema']>

type OrganizationQuotas = {
  /** With its use in the current month; null without a quota. */
  readonly findQuota: (organizationId: string, now: number) => Promise<QuotaWire | null>
  readonly setQuota: (
    organizationId: string,
    quota: { readonly monthlyRequests: number; readonly isHard: boolean } | null,
    actor: Actor,
    now: number,
  ) => Promise<void>
}

export type OrganizationDependencies = {
  readonly auth: AuthStore
  readonly quotas: OrganizationQuotas
  /** Currency of a new organization, by its market or the service's; undefined: US dollars. */
  readonly currencyOfMarket: (market: string | null) => string | undefined | Promise<string | undefined>
  /** Ends access now and deletes the data later. */
  readonly removeOrganization: (id: string, confirmedName: string, actor: Actor, now: number) => Promise<void>
}

/** Organizations of the service, for principals that operate it. */
export function organizationRoutes(dependencies: OrganizationDependencies): ApiRoute[] {
  const { auth, quotas } = dependencies

  const present = async (organization: Organization, now: number) =>
    presentOrganization(organization, await quotas.findQuota(organization.id, now), await auth.operatorOrganization())

  async function presentById(id: string, now: number) {
    const organization = await auth.findOrganization(id)
    if (!organization) throw unknownId('organization', id)
    return { data: await present(organization, now) }
  }

  /** Sets the given fields; those that are absent stay. */
  async function change(
    id: string,
    {
      name,
      tier,
      limit_per_minute: limit,
      quota,
      market,
      common_source: isCommon,
      runs_service: runsService,
    }: OrganizationChange,
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
    if (runsService) await auth.setOperatorOrganization(id, actor, now)
  }

  return [
    route(listOrganizations, async (c) => {
      const { after = '', limit = CURSOR_LIMIT } = c.get('query')
      const { now } = c.get('facts')
      const organizations = await auth.organizationsAfter(after, limit + 1)
      const pageOrganizations = organizations.slice(0, limit)
      const data = await Promise.all(pageOrganizations.map((organization) => present(organization, now)))
      return {
        data,
        meta: { limit, has_next: organizations.length > limit, next_after: data.at(-1)?.id ?? (after || null) },
      }
    }),

    route(createOrganization, async (c) => {
      const { name, market: requested, ...options } = c.get('body')
      const { now } = c.get('facts')
      const { actor } = c.get('principal')
      const market = requested ? parseMarket(requested).code : null
      const currency = await dependencies.currencyOfMarket(market)
      const { id } = await auth.createOrganization(name, actor, now, { market, ...(currency ? { currency } : {}) })
      await change(id, options, actor, now)
      return presentById(id, now)
    }),

    route(getOrganization, (c) => presentById(c.get('params').id, c.get('facts').now)),

    route(changeOrganization, async (c) => {
      const { id } = c.get('params')
      const { now } = c.get('facts')
      await presentById(id, now)
      await change(id, c.get('body'), c.get('principal').actor, now)
      return presentById(id, now)
    }),

    route(removeOrganization, async (c) => {
      const { actor } = c.get('principal')
      await dependencies.removeOrganization(c.get('params').id, c.get('query').confirm, actor, c.get('facts').now)
      return { data: DONE }
    }),
  ]
}

export const presentOrganization = (
  organization: Organization,
  quota: QuotaWire | null,
  operatorId: string | null,
): OrganizationWire => ({
  id: organization.id,
  name: organization.name,
  tier: organization.tier,
  limit_per_minute: organization.limitPerMinute,
  quota,
  market: organization.market,
  common_source: organization.isCommonSource,
  runs_service: organization.id === operatorId,
  created_at: isoInstant(organization.createdAt),
})
