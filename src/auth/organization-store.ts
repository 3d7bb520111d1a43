import type { Selectable, Updateable } from 'kysely'
import type { AuditAction } from '../contract/audit.ts'
import { BASE_CURRENCY } from '../contract/currency.ts'
import type { SessionLimitsChangeWire } from '../contract/management-settings.ts'
import type { SellerRecordMode } from '../contract/sellers.ts'
import { TIERS, type Tier } from '../contract/tiers.ts'
import type { Database, Tx } from '../db/database.ts'
import type { OrganizationTable } from '../db/schema.ts'
import { readSetting } from '../db/setting-store.ts'
import { unknownId } from '../lib/errors.ts'
import { sortableId } from '../lib/id.ts'
import { parseMarket } from '../pricing/country-market.ts'
import { sessionLimits } from './accounts/lifetimes.ts'
import type { Actor } from './actor.ts'
import { writeAuditEntry } from './audit-store.ts'
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
  /** Whether members can do nothing without a second factor. */
  readonly requiresSecondFactor: boolean
  /** Whether the menu of the dashboard has the developer pages. */
  readonly showsDeveloperPages: boolean
  readonly createdAt: number
}

/** Terms that an organization has from its creation. */
export type FirstTerms = {
  /** Code of its market; null: the service's. */
  readonly market?: string | null
  /** Currency of its buying policy and its dashboard, by default US dollars. */
  readonly currency?: string
}

/** Settings whose names are this and the id of an organization that is being removed. */
export const REMOVAL_PREFIX = 'removing '

export function organizationStore(db: Database) {
  const selectOrganizations = () =>
    db.query
      .selectFrom('organization')
      .leftJoin('organization_tier', 'organization_tier.organization_id', 'organization.id')
      .selectAll('organization')
      .select('organization_tier.tier as tier')
      .orderBy('organization.id')
  const findRow = (id: string) =>
    db.query.selectFrom('organization').selectAll().where('id', '=', id).executeTakeFirst()

  return {
    async createOrganization(name: string, actor: Actor, now: number, terms: FirstTerms = {}): Promise<Organization> {
      return db.transaction((tx) => insertOrganization(db, tx, { ...terms, name }, actor, now))
    },

    async renameOrganization(organizationId: string, newName: string, actor: Actor, now: number): Promise<string> {
      const name = parseDisplayName(newName)
      await db.transaction(async (tx) => {
        const { name: before } = await requireOrganization(tx, organizationId)
        if (before === name) return
        await updateOrganization(tx, organizationId, { name })
        await audit(tx, organizationId, 'organization.renamed', { name, before }, actor, now)
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
      return (await findRow(organizationId))?.name ?? null
    },

    async isBeingRemoved(organizationId: string): Promise<boolean> {
      return (await readSetting(db.query, `${REMOVAL_PREFIX}${organizationId}`)) !== undefined
    },

    async organizationLimit(organizationId: string): Promise<number | null> {
      return (await findRow(organizationId))?.limit_per_minute ?? null
    },

    /** Requests per minute that all keys of the organization share; null: each key has the limit of its tier. */
    async setLimit(organizationId: string, limitPerMinute: number | null, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await updateOrganization(tx, organizationId, { limit_per_minute: limitPerMinute })
        const revision = await db.announceChange(tx, 'access')
        await tx.updateTable('api_key').set({ revision }).where('organization_id', '=', organizationId).execute()
        const detail = { limit_per_minute: limitPerMinute === null ? 'by tier' : String(limitPerMinute) }
        await audit(tx, organizationId, 'organization.limit_changed', detail, actor, now)
      })
    },

    /** Code of the organization's market; null: it has none of its own and uses the service's. */
    async organizationMarket(organizationId: string): Promise<string | null> {
      return (await findRow(organizationId))?.market ?? null
    },

    /** Returns the code that was stored; null puts the organization back on the service's market. */
    async setMarket(organizationId: string, text: string | null, actor: Actor, now: number): Promise<string | null> {
      const market = text === null ? null : parseMarket(text).code
      await db.transaction(async (tx) => {
        await db.announceChange(tx, 'market')
        await updateOrganization(tx, organizationId, { market })
        const detail = { market: market ?? 'of the service' }
        await audit(tx, organizationId, 'organization.market_changed', detail, actor, now)
      })
      return market
    },

    /** What the organization records about sellers, and for how long. */
    async sellerRecord(organizationId: string): Promise<{ mode: SellerRecordMode; retentionDays: number | null }> {
      const row = await db.query
        .selectFrom('organization')
        .select(['seller_record', 'seller_retention_days'])
        .where('id', '=', organizationId)
        .executeTakeFirst()
      const days = row?.seller_retention_days ?? null
      return {
        mode: (row?.seller_record ?? 'off') as SellerRecordMode,
        retentionDays: days === null ? null : Number(days),
      }
    },

    /** Fields that are undefined stay. */
    async changeSellerRecord(
      organizationId: string,
      { mode, retentionDays }: { mode?: SellerRecordMode | undefined; retentionDays?: number | null | undefined },
      actor: Actor,
      now: number,
    ): Promise<void> {
      await db.transaction(async (tx) => {
        await updateOrganization(tx, organizationId, {
          ...(mode === undefined ? {} : { seller_record: mode }),
          ...(retentionDays === undefined ? {} : { seller_retention_days: retentionDays }),
        })
        const detail = {
          ...(mode === undefined ? {} : { seller_record: mode }),
          ...(retentionDays === undefined ? {} : { retention_days: String(retentionDays ?? 'unlimited') }),
        }
        await audit(tx, organizationId, 'organization.seller_record_changed', detail, actor, now)
      })
    },

    async showsDeveloperPages(organizationId: string): Promise<boolean> {
      return (await findRow(organizationId))?.shows_developer_pages === 1
    },

    /** Minutes without use after which a shop device asks who is there; null: never. */
    async tillIdleMinutes(organizationId: string): Promise<number | null> {
      return (await findRow(organizationId))?.till_idle_minutes ?? null
    },

    /** When sessions of members end. */
    async sessionLimits(organizationId: string) {
      const row = await findRow(organizationId)
      return sessionLimits(row ?? { session_idle_days: null, session_days: null, shop_device_hours: null })
    },

    async changeSessionLimits(organizationId: string, limits: SessionLimitsChangeWire, actor: Actor, now: number) {
      const { idle_days: idleDays, days, shop_device_hours: hours } = limits
      await db.transaction(async (tx) => {
        await updateOrganization(tx, organizationId, {
          ...(idleDays === undefined ? {} : { session_idle_days: idleDays }),
          ...(days === undefined ? {} : { session_days: days }),
          ...(hours === undefined ? {} : { shop_device_hours: hours }),
        })
        const row = await tx
          .selectFrom('organization')
          .selectAll()
          .where('id', '=', organizationId)
          .executeTakeFirstOrThrow()
        const detail = Object.fromEntries(
          Object.entries(sessionLimits(row)).map(([name, value]) => [name, String(value)]),
        )
        await audit(tx, organizationId, 'organization.sessions_changed', detail, actor, now)
      })
    },

    async changeTillIdleMinutes(organizationId: string, minutes: number | null, actor: Actor, now: number) {
      await db.transaction(async (tx) => {
        await updateOrganization(tx, organizationId, { till_idle_minutes: minutes })
        const detail = { idle_minutes: String(minutes ?? 'never') }
        await audit(tx, organizationId, 'organization.till_changed', detail, actor, now)
      })
    },

    async showDeveloperPages(organizationId: string, shown: boolean, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await updateOrganization(tx, organizationId, { shows_developer_pages: shown ? 1 : 0 })
        const detail = { shown: shown ? 'yes' : 'no' }
        await audit(tx, organizationId, 'organization.developer_pages_changed', detail, actor, now)
      })
    },

    /** Whether the organization's own prices also count in the common market, with a bounded weight. */
    async setCommonSource(organizationId: string, isCommon: boolean, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        const revision = await db.announceChange(tx, 'market')
        await updateOrganization(tx, organizationId, { is_common_source: isCommon ? 1 : 0 })
        await announceOwnDevices(db, tx, organizationId, revision)
        const detail = { common_source: isCommon ? 'yes' : 'no' }
        await audit(tx, organizationId, 'organization.common_source_changed', detail, actor, now)
      })
    },

    async organizationTier(organizationId: string): Promise<Tier> {
      return readOrganizationTier(db.query, organizationId)
    },

    async requireSecondFactor(organizationId: string, required: boolean, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await updateOrganization(tx, organizationId, { second_factor_required: required ? 1 : 0 })
        const detail = { required: required ? 'yes' : 'no' }
        await audit(tx, organizationId, 'organization.second_factor_changed', detail, actor, now)
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
        await audit(tx, organizationId, 'organization.tier_changed', { tier }, actor, now)
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
    requiresSecondFactor: row.second_factor_required === 1,
    showsDeveloperPages: row.shows_developer_pages === 1,
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
  const detail: Record<string, string> = currency === BASE_CURRENCY ? { name } : { name, currency }
  await audit(tx, id, 'organization.created', detail, actor, now)
  const tier = tierOrHighest(null)
  return {
    id,
    name,
    tier,
    limitPerMinute: null,
    market,
    isCommonSource: false,
    requiresSecondFactor: false,
    showsDeveloperPages: false,
    createdAt: now,
  }
}

/** Set-up gives the organization of the first start its name, market and currency. */
export async function setUpOrganization(
  db: Database,
  tx: Tx,
  organizationId: string,
  { name: newName, market = null, currency = BASE_CURRENCY }: FirstTerms & { readonly name: string },
  actor: Actor,
  now: number,
): Promise<void> {
  const name = parseDisplayName(newName)
  const { name: before } = await requireOrganization(tx, organizationId)
  await updateOrganization(tx, organizationId, { name, market })
  const policy = await tx
    .selectFrom('appraisal_policy')
    .select('document')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  const document = JSON.stringify({ ...JSON.parse(policy?.document ?? '{}'), currency })
  await tx
    .insertInto('appraisal_policy')
    .values({ organization_id: organizationId, document, updated_at: now })
    .onConflict((on) => on.column('organization_id').doUpdateSet({ document, updated_at: now }))
    .execute()
  await db.announceChange(tx, 'access')
  await db.announceChange(tx, 'market')
  await audit(tx, organizationId, 'organization.renamed', { name, before }, actor, now)
}

async function updateOrganization(tx: Tx, id: string, values: Updateable<OrganizationTable>): Promise<void> {
  await requireOrganization(tx, id)
  await tx.updateTable('organization').set(values).where('id', '=', id).execute()
}

/** Writes an audit entry about the organization itself. */
async function audit(
  tx: Tx,
  id: string,
  action: AuditAction,
  detail: Readonly<Record<string, string>>,
  actor: Actor,
  now: number,
): Promise<void> {
  await writeAuditEntry(tx, id, actor, { action, subject: id, detail }, now)
}

export async function requireOrganization(tx: Tx, id: string): Promise<{ readonly name: string }> {
  const organization = await tx.selectFrom('organization').select('name').where('id', '=', id).executeTakeFirst()
  if (!organization) throw unknownId('organization', id)
  return organization
}

/** Until the commit: of two changes of an organization at the same moment the second sees the first. */
export async function lockOrganization(tx: Tx, id: string): Promise<void> {
  // An update without a change locks the row.
  await tx
    .updateTable('organization')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', id)
    .execute()
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
