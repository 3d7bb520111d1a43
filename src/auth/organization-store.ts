import type { Selectable } from 'kysely'
import { BASE_CURRENCY } from '../contract/currency.ts'
import { TIERS, type Tier } from '../contract/tiers.ts'
import type { Database, Tx } from '../db/database.ts'
import type { OrganizationTable } from '../db/schema.ts'
import { unknownId } from '../lib/errors.ts'
import { sortableId } from '../lib/id.ts'
import { parseMarket } from '../pricing/country-market.ts'
import type { Actor } from './actor.ts'
import { type AuditEntry, writeAuditEntry } from './audit-store.ts'
import { parseDisplayName } from './name.ts'

export type Organization = {
  readonly id: string
  readonly name: string
  /** Highest tier its keys may have. */
  readonly tier: Tier
  readonly limitPerMinute: number | null
  /** Code of its market; null: the service's. */
  readonly market: string | null
  /** Whether its own prices also count in the common market. */
  readonly isCommonSource: boolean
  readonly createdAt: number
}

/** Terms that an organization has from its creation. */
export type FirstTerms = {
  /** Code of its market; null: the service's. */
  readonly market?: string | null
  /** Currency of its buying policy and its dashboard, by default US dollars. */
  readonly currency?: string
}

export function organizationStore(db: Database) {
  const selectOrganizations = () =>
    db.query
      .selectFrom('organization')
      .leftJoin('organization_tier', 'organization_tier.organization_id', 'organization.id')
      .selectAll('organization')
      .select('organization_tier.tier as tier')
      .orderBy('organization.id')

  return {
    async createOrganization(name: string, actor: Actor, now: number, terms: FirstTerms = {}): Promise<Organization> {
      return db.transaction((tx) => insertOrganization(db, tx, { ...terms, name }, actor, now))
    },

    async renameOrganization(organizationId: string, newName: string, actor: Actor, now: number): Promise<string> {
      const name = parseDisplayName(newName)
      await db.transaction(async (tx) => {
        const { name: before } = await requireOrganization(tx, organizationId)
        if (before === name) return
        await tx.updateTable('organization').set({ name }).where('id', '=', organizationId).execute()
        const detail = { name, before }
        await writeAuditEntry(
          tx,
          organizationId,
          actor,
          { action: 'organization.renamed', subject: organizationId, detail },
          now,
        )
      })
      return name
    },

    async organizations(): Promise<Organization[]> {
      return (await selectOrganizations().execute()).map(toOrganization)
    },

    async organizationsAfter(id: string, limit: number): Promise<Organization[]> {
      return (await selectOrganizations().where('organization.id', '>', id).limit(limit).execute()).map(toOrganization)
    },

    async findOrganization(id: string): Promise<Organization | undefined> {
      const row = await selectOrganizations().where('organization.id', '=', id).executeTakeFirst()
      return row && toOrganization(row)
    },

    async organizationName(organizationId: string): Promise<string | null> {
      const row = await db.query
        .selectFrom('organization')
        .select('name')
        .where('id', '=', organizationId)
        .executeTakeFirst()
      return row?.name ?? null
    },

    async organizationLimit(organizationId: string): Promise<number | null> {
      const row = await db.query
        .selectFrom('organization')
        .select('limit_per_minute')
        .where('id', '=', organizationId)
        .executeTakeFirst()
      return row?.limit_per_minute ?? null
    },

    /** Requests per minute that all keys of the organization share; null: each key has the limit of its tier. */
    async setLimit(organizationId: string, limitPerMinute: number | null, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await requireOrganization(tx, organizationId)
        await tx
          .updateTable('organization')
          .set({ limit_per_minute: limitPerMinute })
          .where('id', '=', organizationId)
          .execute()
        const revision = await db.announceChange(tx, 'access')
        await tx.updateTable('api_key').set({ revision }).where('organization_id', '=', organizationId).execute()
        const detail = { limit_per_minute: limitPerMinute === null ? 'by tier' : String(limitPerMinute) }
        const entry: AuditEntry = { action: 'organization.limit_changed', subject: organizationId, detail }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },

    /** Code of the organization's market; null: it has none of its own and uses the service's. */
    async organizationMarket(organizationId: string): Promise<string | null> {
      const row = await db.query
        .selectFrom('organization')
        .select('market')
        .where('id', '=', organizationId)
        .executeTakeFirst()
      return row?.market ?? null
    },

    /** Returns the code that was stored; null puts the organization back on the service's market. */
    async setMarket(organizationId: string, text: string | null, actor: Actor, now: number): Promise<string | null> {
      const market = text === null ? null : parseMarket(text).code
      await db.transaction(async (tx) => {
        await db.announceChange(tx, 'market')
        await requireOrganization(tx, organizationId)
        await tx.updateTable('organization').set({ market }).where('id', '=', organizationId).execute()
        const detail = { market: market ?? 'of the service' }
        const entry: AuditEntry = { action: 'organization.market_changed', subject: organizationId, detail }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
      return market
    },

    /** Whether the organization's own prices also count in the common market, with a bounded weight. */
    async setCommonSource(organizationId: string, isCommon: boolean, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        const revision = await db.announceChange(tx, 'market')
        await requireOrganization(tx, organizationId)
        await tx
          .updateTable('organization')
          .set({ is_common_source: isCommon ? 1 : 0 })
          .where('id', '=', organizationId)
          .execute()
        await announceOwnDevices(db, tx, organizationId, revision)
        const detail = { common_source: isCommon ? 'yes' : 'no' }
        const entry: AuditEntry = { action: 'organization.common_source_changed', subject: organizationId, detail }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },

    async organizationTier(organizationId: string): Promise<Tier> {
      return readOrganizationTier(db.query, organizationId)
    },

    async requireSecondFactor(organizationId: string, required: boolean, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await requireOrganization(tx, organizationId)
        await tx
          .updateTable('organization')
          .set({ second_factor_required: required ? 1 : 0 })
          .where('id', '=', organizationId)
          .execute()
        const detail = { required: required ? 'yes' : 'no' }
        const entry: AuditEntry = { action: 'organization.second_factor_changed', subject: organizationId, detail }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },

    /**
     * Keys above the tier stop working in every process, and its watches and webhook events pause, until it is raised
     * again.
     */
    async setTier(organizationId: string, tier: Tier, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await requireOrganization(tx, organizationId)
        await tx
          .insertInto('organization_tier')
          .values({ organization_id: organizationId, tier })
          .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ tier }))
          .execute()
        const revision = await db.announceChange(tx, 'access')
        await tx.updateTable('api_key').set({ revision }).where('organization_id', '=', organizationId).execute()
        // Watches pause or continue with the tier.
        await db.announceChange(tx, 'watches')
        const entry: AuditEntry = { action: 'organization.tier_changed', subject: organizationId, detail: { tier } }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },
  }
}

function toOrganization(row: Selectable<OrganizationTable> & { readonly tier: string | null }): Organization {
  return {
    id: row.id,
    name: row.name,
    tier: tierOrHighest(row.tier),
    limitPerMinute: row.limit_per_minute,
    market: row.market,
    isCommonSource: row.is_common_source === 1,
    createdAt: row.created_at,
  }
}

/** Makes every process recalculate the common prices of devices for which the organization has its own prices. */
async function announceOwnDevices(db: Database, tx: Tx, organizationId: string, revision: number): Promise<void> {
  const ownDevices = await tx
    .selectFrom('organization_observed_device')
    .select('device_id')
    .where('organization_id', '=', organizationId)
    .execute()
  const changedDevices = ownDevices.map(({ device_id }) => ({ device_id, revision }))
  await db.insertMany(tx, 'observed_device', changedDevices, { conflictColumns: ['device_id'] })
}

export async function insertOrganization(
  db: Database,
  tx: Tx,
  { name: newName, market = null, currency = BASE_CURRENCY }: FirstTerms & { readonly name: string },
  actor: Actor,
  now: number,
): Promise<Organization> {
  const name = parseDisplayName(newName)
  const id = sortableId('org', now)
  await tx.insertInto('organization').values({ id, name, limit_per_minute: null, market, created_at: now }).execute()
  if (currency !== BASE_CURRENCY) {
    const document = JSON.stringify({ currency })
    await tx.insertInto('appraisal_policy').values({ organization_id: id, document, updated_at: now }).execute()
    await db.announceChange(tx, 'access')
  }
  if (market !== null) await db.announceChange(tx, 'market')
  const detail: AuditEntry['detail'] = currency === BASE_CURRENCY ? { name } : { name, currency }
  const entry: AuditEntry = { action: 'organization.created', subject: id, detail }
  await writeAuditEntry(tx, id, actor, entry, now)
  return {
    id,
    name,
    tier: tierOrHighest(null),
    limitPerMinute: null,
    market,
    isCommonSource: false,
    createdAt: now,
  }
}

export async function requireOrganization(tx: Tx, id: string): Promise<{ readonly name: string }> {
  const organization = await tx.selectFrom('organization').select('name').where('id', '=', id).executeTakeFirst()
  if (!organization) throw unknownId('organization', id)
  return organization
}

export async function readOrganizationTier(tx: Tx, organizationId: string): Promise<Tier> {
  const row = await tx
    .selectFrom('organization_tier')
    .select('tier')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return tierOrHighest(row?.tier)
}

/** The stored tier; the highest if none was set. */
export function tierOrHighest(stored: string | null | undefined): Tier {
  return TIERS.find((tier) => tier === stored) ?? 'enterprise'
}
