import { type KeyRight, type Tier, tierIncludes } from '../contract/tiers.ts'
import type { Database, Tx } from '../db/database.ts'
import type { ApiKeyTable } from '../db/schema.ts'
import { requireStorage } from '../db/storage-ledger.ts'
import { conflict, unknownId } from '../lib/errors.ts'
import { sortableId } from '../lib/id.ts'
import { reason } from '../lib/reasons.ts'
import { DAY_MS } from '../lib/time.ts'
import { type Actor, FIRST_START_ACTOR } from './actor.ts'
import { generateKey } from './api-key.ts'
import { type AuditEntry, writeAuditEntry } from './audit-store.ts'
import { parseRights, parseTier } from './cached-key-store.ts'
import { parseDisplayName } from './name.ts'
import { readOrganizationTier, requireOrganization } from './organization-store.ts'
import { hashSecret } from './secret-hash.ts'

export type ApiKey = {
  readonly id: string
  readonly organizationId: string
  readonly tier: Tier
  readonly rights: readonly KeyRight[]
  readonly name: string
  readonly lastFour: string
  readonly createdAt: number
  /** Null for a key whose creation is not in the audit trail. */
  readonly createdBy: string | null
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
  readonly rotatedFrom: string | null
} & KeyOptions

/** Optional restrictions that the owner sets on a key. */
export type KeyOptions = {
  readonly limitPerMinute: number | null
  /** Networks it may be used from, in CIDR form; null for all. */
  readonly allowedNetworks: readonly string[] | null
}

export type NewApiKey = {
  readonly tier: Tier
  readonly name: string
  readonly expiresAt: number | null
  /** Set by the operator only. */
  readonly rights?: readonly KeyRight[]
} & Partial<KeyOptions>

/** Revoked keys that are listed, the newest. */
const MAX_REVOKED_KEYS = 500

export type CreatedKey = { readonly secret: string; readonly key: ApiKey }

/**
 * API keys. Every change only finds keys of its organization. It announces the change before it reads: that locks the
 * counter's row until the commit, so that two changes of a key run one after the other.
 */
export function keyStore(db: Database) {
  async function assertBelowKeyLimit(tx: Tx, organizationId: string, now: number): Promise<void> {
    await requireStorage(tx, organizationId, { kind: 'keys', amount: 1, field: 'key', now })
  }

  return {
    /** The secret is returned only here; the database stores its hash. */
    async createKey(organizationId: string, newKey: NewApiKey, actor: Actor, now: number): Promise<CreatedKey> {
      const name = parseDisplayName(newKey.name)
      return db.transaction(async (tx) => {
        await requireOrganization(tx, organizationId)
        const revision = await db.announceChange(tx, 'access')
        await assertTierAllowed(tx, organizationId, newKey.tier)
        await assertBelowKeyLimit(tx, organizationId, now)
        const created = await insertKey(tx, organizationId, { ...newKey, name }, { now, revision, actor })
        const rightsDetail: Record<string, string> = newKey.rights?.length ? { may: newKey.rights.join(' ') } : {}
        const detail = { name, tier: newKey.tier, ...rightsDetail, ...optionsAuditDetail(created.key) }
        const entry: AuditEntry = { action: 'key.created', subject: created.key.id, detail }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
        if (actor.who !== FIRST_START_ACTOR.who) await showDeveloperPages(tx, organizationId)
        return created
      })
    },

    async keys(organizationId: string): Promise<ApiKey[]> {
      await requireOrganization(db.query, organizationId)
      const ofOrganization = db.query.selectFrom('api_key').selectAll().where('organization_id', '=', organizationId)
      const usable = await ofOrganization.where('revoked_at', 'is', null).orderBy('id').execute()
      // A caller who replaces its key daily leaves more revoked ones than a response can hold.
      const revoked = await ofOrganization
        .where('revoked_at', 'is not', null)
        .orderBy('id', 'desc')
        .limit(MAX_REVOKED_KEYS)
        .execute()
      return [...usable, ...revoked].sort((left, right) => (left.id < right.id ? -1 : 1)).map(toApiKey)
    },

    async hasKeys(): Promise<boolean> {
      return (await db.query.selectFrom('api_key').select('id').limit(1).executeTakeFirst()) !== undefined
    },

    /** Live keys of all organizations that expire between two instants. */
    async expiringKeys(from: number, to: number): Promise<ApiKey[]> {
      const rows = await db.query
        .selectFrom('api_key')
        .selectAll()
        .where('expires_at', '>', from)
        .where('expires_at', '<=', to)
        .where('revoked_at', 'is', null)
        .execute()
      return rows.map(toApiKey)
    },

    /** For operators who only know the id of a key. */
    async organizationOfKey(keyId: string): Promise<string> {
      const row = await db.query
        .selectFrom('api_key')
        .select('organization_id')
        .where('id', '=', keyId)
        .executeTakeFirst()
      if (!row) throw unknownId('key', keyId)
      return row.organization_id
    },

    /** Does nothing if the key is already revoked. */
    async revokeKey(organizationId: string, keyId: string, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        const revision = await db.announceChange(tx, 'access')
        const key = await requireKey(tx, organizationId, keyId)
        if (isRevoked(key)) return
        await tx.updateTable('api_key').set({ revoked_at: now, revision }).where('id', '=', keyId).execute()
        const entry: AuditEntry = { action: 'key.revoked', subject: keyId, detail: { name: key.name } }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },

    /** Changes name and restrictions; takes effect in every process within a second. */
    async changeKey(
      organizationId: string,
      keyId: string,
      change: { readonly name: string } & KeyOptions,
      actor: Actor,
      now: number,
    ): Promise<ApiKey> {
      const name = parseDisplayName(change.name)
      return db.transaction(async (tx) => {
        const revision = await db.announceChange(tx, 'access')
        const oldKey = await requireKey(tx, organizationId, keyId)
        if (isRevoked(oldKey))
          throw conflict('key', `Key ${keyId} is revoked and cannot be changed.`, reason('key_revoked'))
        const row: ApiKeyTable = { ...oldKey, name, revision, ...optionColumns(change) }
        await tx.updateTable('api_key').set(row).where('id', '=', keyId).execute()
        const key = toApiKey(row)
        const detail = { name, ...(oldKey.name === name ? {} : { before: oldKey.name }), ...optionsAuditDetail(key) }
        await writeAuditEntry(tx, organizationId, actor, { action: 'key.changed', subject: keyId, detail }, now)
        return key
      })
    },

    /**
     * Creates a successor with the same tier, name and restrictions; the old key works until the overlap or its own
     * expiry ends.
     */
    async rotateKey(
      organizationId: string,
      keyId: string,
      overlapDays: number,
      actor: Actor,
      now: number,
    ): Promise<CreatedKey> {
      return db.transaction(async (tx) => {
        const revision = await db.announceChange(tx, 'access')
        const row = await requireKey(tx, organizationId, keyId)
        const oldKey = toApiKey(row)
        if (isRevoked(row)) {
          throw conflict(
            'key',
            `Key ${keyId} is revoked and cannot be rotated; create a new one instead.`,
            reason('key_revoked'),
          )
        }
        if (oldKey.expiresAt !== null && oldKey.expiresAt <= now) {
          throw conflict(
            'key',
            `Key ${keyId} has expired and cannot be rotated; create a new one instead.`,
            reason('key_expired'),
          )
        }
        await assertTierAllowed(tx, organizationId, oldKey.tier)
        if (overlapDays > 0) await assertBelowKeyLimit(tx, organizationId, now)
        const endsAt = Math.min(now + overlapDays * DAY_MS, oldKey.expiresAt ?? Number.MAX_SAFE_INTEGER)
        const endOfOldKey = overlapDays === 0 ? { revoked_at: now } : { expires_at: endsAt }
        await tx
          .updateTable('api_key')
          .set({ ...endOfOldKey, revision })
          .where('id', '=', keyId)
          .execute()
        const expiresAt = oldKey.expiresAt === null ? null : now + (oldKey.expiresAt - oldKey.createdAt)
        const creation = { now, revision, actor, rotatedFrom: keyId }
        const created = await insertKey(tx, organizationId, { ...oldKey, expiresAt }, creation)
        const detail = { name: oldKey.name, replaces: keyId, overlap_days: String(overlapDays) }
        const entry: AuditEntry = { action: 'key.rotated', subject: created.key.id, detail }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
        return created
      })
    },

    async recordUse(lastUsedAt: ReadonlyMap<string, number>): Promise<void> {
      await db.transaction(async (tx) => {
        for (const [id, usedAt] of lastUsedAt) {
          await tx
            .updateTable('api_key')
            .set({ last_used_at: usedAt })
            .where('id', '=', id)
            .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', usedAt)]))
            .execute()
        }
      })
    },
  }
}

/** Someone who creates a key needs the pages of keys; the keys of the first start are there unasked. */
async function showDeveloperPages(tx: Tx, organizationId: string): Promise<void> {
  await tx.updateTable('organization').set({ shows_developer_pages: 1 }).where('id', '=', organizationId).execute()
}

async function insertKey(
  tx: Tx,
  organizationId: string,
  { tier, name, expiresAt, rights = [], limitPerMinute = null, allowedNetworks = null }: NewApiKey,
  creation: {
    readonly now: number
    readonly revision: number
    readonly actor: Actor
    readonly rotatedFrom?: string
  },
): Promise<CreatedKey> {
  const secret = generateKey(tier)
  const row: ApiKeyTable = {
    id: sortableId('key', creation.now),
    organization_id: organizationId,
    tier,
    rights: rights.join(' '),
    name,
    hash: hashSecret(secret),
    last_four: secret.slice(-4),
    created_at: creation.now,
    expires_at: expiresAt,
    last_used_at: null,
    revoked_at: null,
    rotated_from: creation.rotatedFrom ?? null,
    revision: creation.revision,
    created_by: creation.actor.who,
    ...optionColumns({ limitPerMinute, allowedNetworks }),
  }
  await tx.insertInto('api_key').values(row).execute()
  return { secret, key: toApiKey(row) }
}

/** Another organization's key is NOT_FOUND, so that callers cannot probe for ids. */
async function requireKey(tx: Tx, organizationId: string, keyId: string): Promise<ApiKeyTable> {
  const key = await tx
    .selectFrom('api_key')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .executeTakeFirst()
  if (!key) throw unknownId('key', keyId)
  return key
}

/** Whatever the clock says: another machine, whose clock is ahead, may have revoked it. */
const isRevoked = ({ revoked_at }: ApiKeyTable) => revoked_at !== null

function toApiKey(row: ApiKeyTable): ApiKey {
  return {
    id: row.id,
    organizationId: row.organization_id,
    tier: parseTier(row.tier),
    rights: parseRights(row.rights),
    name: row.name,
    lastFour: row.last_four,
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    rotatedFrom: row.rotated_from,
    limitPerMinute: row.limit_per_minute,
    allowedNetworks: row.allowed_networks === null ? null : JSON.parse(row.allowed_networks),
  }
}

function optionColumns({ limitPerMinute, allowedNetworks }: KeyOptions) {
  return {
    limit_per_minute: limitPerMinute,
    allowed_networks: allowedNetworks === null ? null : JSON.stringify(allowedNetworks),
  }
}

/** Options as details of an audit entry; unset options are omitted. */
function optionsAuditDetail({ limitPerMinute, allowedNetworks }: KeyOptions): Record<string, string> {
  return {
    ...(limitPerMinute === null ? {} : { limit_per_minute: String(limitPerMinute) }),
    ...(allowedNetworks === null ? {} : { allowed_addresses: allowedNetworks.join(', ') }),
  }
}

/** Keys above the organization's tier can be neither created nor rotated. */
async function assertTierAllowed(tx: Tx, organizationId: string, tier: Tier): Promise<void> {
  const highest = await readOrganizationTier(tx, organizationId)
  if (tierIncludes(highest, tier)) return
  throw conflict(
    'tier',
    `The organization may use tiers up to ${highest}, and the key's is ${tier}.`,
    reason('tier_above_organization', { tier: highest }),
  )
}
