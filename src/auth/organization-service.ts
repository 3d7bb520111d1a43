import type { z } from 'zod'
import type { changeOrganization, createOrganization, OrganizationWire } from '../contract/management-organization.ts'
import type { QuotaWire } from '../contract/usage.ts'
import { unknownId } from '../lib/errors.ts'
import { isoInstant } from '../lib/time.ts'
import { parseMarket } from '../pricing/country-market.ts'
import type { Actor } from './actor.ts'
import type { AuthStore, Organization } from './auth-store.ts'

type NewOrganization = z.output<NonNullable<(typeof createOrganization)['body']>['schema']>
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

export type OrganizationServiceOptions = {
  readonly auth: Pick<
    AuthStore,
    | ('createOrganization' | 'findOrganization' | 'organizationsAfter' | 'operatorOrganization' | 'isBeingRemoved')
    | ('setMarket' | 'renameOrganization' | 'setTier' | 'setLimit' | 'setCommonSource' | 'setOperatorOrganization')
  >
  readonly quotas: OrganizationQuotas
  /** Currency of a new organization, by its market or the service's; undefined: US dollars. */
  readonly currencyOfMarket: (market: string | null) => string | undefined | Promise<string | undefined>
}

export type OrganizationService = ReturnType<typeof organizationService>

/** Organizations of the service, for the API, the commands and the first start. */
export function organizationService(
  { auth, quotas, currencyOfMarket }: OrganizationServiceOptions,
  now: () => number = Date.now,
) {
  const present = async (organization: Organization) =>
    presentOrganization(organization, {
      quota: await quotas.findQuota(organization.id, now()),
      operatorId: await auth.operatorOrganization(),
      isBeingRemoved: await auth.isBeingRemoved(organization.id),
    })

  async function find(id: string): Promise<OrganizationWire> {
    const organization = await auth.findOrganization(id)
    if (!organization) throw unknownId('organization', id)
    return present(organization)
  }

  /** Sets the given fields; those that are absent stay. */
  async function set(
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
  ): Promise<void> {
    // First: the market is the only field that can still be rejected.
    if (market !== undefined) await auth.setMarket(id, market, actor, now())
    if (name !== undefined) await auth.renameOrganization(id, name, actor, now())
    if (tier !== undefined) await auth.setTier(id, tier, actor, now())
    if (limit !== undefined) await auth.setLimit(id, limit, actor, now())
    if (quota !== undefined) {
      const stored = quota && { monthlyRequests: quota.monthly_requests, isHard: quota.is_hard }
      await quotas.setQuota(id, stored, actor, now())
    }
    if (isCommon !== undefined) await auth.setCommonSource(id, isCommon, actor, now())
    if (runsService) await auth.setOperatorOrganization(id, actor, now())
  }

  return {
    find,

    /** Those after an id, in the order of their ids. */
    async list(after: string, limit: number): Promise<OrganizationWire[]> {
      const organizations = await auth.organizationsAfter(after, limit)
      return Promise.all(organizations.map((organization) => present(organization)))
    },

    /** Its currency is that of its market. */
    async create({ name, market: requested, ...options }: NewOrganization, actor: Actor): Promise<OrganizationWire> {
      const market = requested ? parseMarket(requested).code : null
      const currency = await currencyOfMarket(market)
      const { id } = await auth.createOrganization(name, actor, now(), { market, ...(currency ? { currency } : {}) })
      await set(id, options, actor)
      return find(id)
    },

    async change(id: string, change: OrganizationChange, actor: Actor): Promise<OrganizationWire> {
      await find(id)
      await set(id, change, actor)
      return find(id)
    },
  }
}

const presentOrganization = (
  organization: Organization,
  {
    quota,
    operatorId,
    isBeingRemoved,
  }: { readonly quota: QuotaWire | null; readonly operatorId: string | null; readonly isBeingRemoved: boolean },
): OrganizationWire => ({
  id: organization.id,
  name: organization.name,
  tier: organization.tier,
  limit_per_minute: organization.limitPerMinute,
  quota,
  market: organization.market,
  common_source: organization.isCommonSource,
  runs_service: organization.id === operatorId,
  being_removed: isBeingRemoved,
  created_at: isoInstant(organization.createdAt),
})
