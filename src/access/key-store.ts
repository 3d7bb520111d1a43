import { covers, type Right, type Tier } from '../contract/tiers.ts'
import type { Database, Tx } from '../db/open.ts'
import type { ApiKeyTable } from '../db/schema.ts'
import { conflict, noSuch } from '../errors.ts'
import { sortableId } from '../id.ts'
import { DAY_MS } from '../time.ts'
import type { Actor } from './actor.ts'
import { type AuditEntry, writeAuditEntry } from './audit-store.ts'
import { rightsOf, tierOf } from './held-key-store.ts'
import { mintKey } from './key.ts'
import { readName } from './name.ts'
import { organizationOrRefusal, tierOfOrganization } from './organization-store.ts'
import { secretHash } from './secret.ts'

export type Key = {
  readonly id: string
  readonly organizationId: string
  readonly tier: Tier
  readonly rights: readonly Right[]
  readonly name: string
  readonly lastFour: string
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
  readonly rotatedFrom: string | null
} & KeyTerms

/** What its owner allows a key beyond its tier, all of it optional. */
export type KeyTerms = {
  readonly limitPerMinute: number | null
  /** The networks it may be used from, in CIDR form; null for all. */
  readonly allowedNetworks: readonly string[] | null
}

export type NewKey = {
  readonly tier: Tier
  readonly name: string
  readonly expiresAt: number | null
  /** None when absent. Only an operator gives them. */
  readonly rights?: readonly Right[]
} & Partial<KeyTerms>

export type MadeKey = { readonly secret: string; readonly key: Key }

/**
 * API keys. Every change takes the organization first and finds no other's keys; it raises the counter before it looks,
 * and the counter's row is held until the commit, so that two changes of one key come one after the other.
 */
export function keyStore(db: Database) {
  return {
    /** Makes a key. The secret is returned this once; only its hash is kept. */
    async createKey(organizationId: string, fresh: NewKey, actor: Actor, now: number): Promise<MadeKey> {
      const name = readName(fresh.name)
      return db.transaction(async (tx) => {
        await organizationOrRefusal(tx, organizationId)
        const revision = await db.announce(tx, 'access')
        await checkTier(tx, organizationId, fresh.tier)
        const made = await insertKey(tx, organizationId, { ...fresh, name }, { now, revision, rotatedFrom: null })
        const may: Record<string, string> = fresh.rights?.length ? { may: fresh.rights.join(' ') } : {}
        const detail = { name, tier: fresh.tier, ...may, ...termsDetail(made.key) }
        const entry: AuditEntry = { action: 'key.created', subject: made.key.id, detail }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
        return made
      })
    },

    async keys(organizationId: string): Promise<Key[]> {
      await organizationOrRefusal(db.query, organizationId)
      const rows = await db.query
        .selectFrom('api_key')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('id')
        .execute()
      return rows.map(keyOf)
    },

    async hasKeys(): Promise<boolean> {
      return (await db.query.selectFrom('api_key').select('id').limit(1).executeTakeFirst()) !== undefined
    },

    /** Keys of all organizations that are in force and end between two instants. */
    async expiringKeys(from: number, to: number): Promise<Key[]> {
      const rows = await db.query
        .selectFrom('api_key')
        .selectAll()
        .where('expires_at', '>', from)
        .where('expires_at', '<=', to)
        .where('revoked_at', 'is', null)
        .execute()
      return rows.map(keyOf)
    },

    /** Whose key it is, for an operator who knows nothing but its id. */
    async organizationOfKey(keyId: string): Promise<string> {
      const row = await db.query
        .selectFrom('api_key')
        .select('organization_id')
        .where('id', '=', keyId)
        .executeTakeFirst()
      if (!row) throw noSuch('key', keyId)
      return row.organization_id
    },

    /** A key that is revoked already stays as it is. */
    async revokeKey(organizationId: string, keyId: string, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        const revision = await db.announce(tx, 'access')
        const key = await keyOrRefusal(tx, organizationId, keyId)
        if (isRevoked(key, now)) return
        await tx.updateTable('api_key').set({ revoked_at: now, revision }).where('id', '=', keyId).execute()
        const entry: AuditEntry = { action: 'key.revoked', subject: keyId, detail: { name: key.name } }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },

    /** Another name and other terms, from the next moment on in every process. */
    async changeKey(
      organizationId: string,
      keyId: string,
      change: { readonly name: string } & KeyTerms,
      actor: Actor,
      now: number,
    ): Promise<Key> {
      const name = readName(change.name)
      return db.transaction(async (tx) => {
        const revision = await db.announce(tx, 'access')
        const old = await keyOrRefusal(tx, organizationId, keyId)
        if (isRevoked(old, now)) throw conflict('key', `Key ${keyId} is revoked and cannot be changed.`)
        const row: ApiKeyTable = { ...old, name, revision, ...termColumns(change) }
        await tx.updateTable('api_key').set(row).where('id', '=', keyId).execute()
        const key = keyOf(row)
        const detail = { name, ...(old.name === name ? {} : { before: old.name }), ...termsDetail(key) }
        await writeAuditEntry(tx, organizationId, actor, { action: 'key.changed', subject: keyId, detail }, now)
        return key
      })
    },

    /** Makes a successor of the same tier, name and terms; the old key lives on for the overlap, never longer than it would have. */
    async rotateKey(
      organizationId: string,
      keyId: string,
      overlapDays: number,
      actor: Actor,
      now: number,
    ): Promise<MadeKey> {
      return db.transaction(async (tx) => {
        const revision = await db.announce(tx, 'access')
        const old = await keyOrRefusal(tx, organizationId, keyId)
        if (isRevoked(old, now)) {
          throw conflict('key', `Key ${keyId} is revoked and cannot be rotated; create a new one instead.`)
        }
        if (old.expires_at !== null && old.expires_at <= now) {
          throw conflict('key', `Key ${keyId} has expired and cannot be rotated; create a new one instead.`)
        }
        await checkTier(tx, organizationId, tierOf(old.tier))
        const endsAt = Math.min(now + overlapDays * DAY_MS, old.expires_at ?? Number.MAX_SAFE_INTEGER)
        const ending = overlapDays === 0 ? { revoked_at: now } : { expires_at: endsAt }
        await tx
          .updateTable('api_key')
          .set({ ...ending, revision })
          .where('id', '=', keyId)
          .execute()
        const successor = {
          tier: tierOf(old.tier),
          rights: rightsOf(old.rights),
          name: old.name,
          expiresAt: old.expires_at === null ? null : now + (old.expires_at - old.created_at),
          limitPerMinute: old.limit_per_minute,
          allowedNetworks: networksOf(old),
        }
        const made = await insertKey(tx, organizationId, successor, { now, revision, rotatedFrom: keyId })
        const detail = { name: old.name, replaces: keyId, overlap_days: String(overlapDays) }
        const entry: AuditEntry = { action: 'key.rotated', subject: made.key.id, detail }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
        return made
      })
    },

    async recordUse(lastUsedAt: ReadonlyMap<string, number>): Promise<void> {
      await db.transaction(async (tx) => {
        for (const [id, at] of lastUsedAt) {
          await tx
            .updateTable('api_key')
            .set({ last_used_at: at })
            .where('id', '=', id)
            .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
            .execute()
        }
      })
    },
  }
}

async function insertKey(
  tx: Tx,
  organizationId: string,
  { tier, name, expiresAt, rights = [], ...terms }: NewKey,
  made: { readonly now: number; readonly revision: number; readonly rotatedFrom: string | null },
): Promise<MadeKey> {
  const secret = mintKey(tier)
  const row: ApiKeyTable = {
    id: sortableId('key', made.now),
    organization_id: organizationId,
    tier,
    rights: rights.join(' '),
    name,
    hash: secretHash(secret),
    last_four: secret.slice(-4),
    created_at: made.now,
    expires_at: expiresAt,
    last_used_at: null,
    revoked_at: null,
    rotated_from: made.rotatedFrom,
    revision: made.revision,
    ...termColumns(terms),
  }
  await tx.insertInto('api_key').values(row).execute()
  return { secret, key: keyOf(row) }
}

/** Another organization's key is not found: that it exists is none of the caller's business. */
async function keyOrRefusal(tx: Tx, organizationId: string, keyId: string): Promise<ApiKeyTable> {
  const found = await tx
    .selectFrom('api_key')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .executeTakeFirst()
  if (!found) throw noSuch('key', keyId)
  return found
}

const isRevoked = ({ revoked_at }: ApiKeyTable, now: number) => revoked_at !== null && revoked_at <= now

function keyOf(row: ApiKeyTable): Key {
  return {
    id: row.id,
    organizationId: row.organization_id,
    tier: tierOf(row.tier),
    rights: rightsOf(row.rights),
    name: row.name,
    lastFour: row.last_four,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    rotatedFrom: row.rotated_from,
    limitPerMinute: row.limit_per_minute,
    allowedNetworks: networksOf(row),
  }
}

function networksOf({ allowed_networks }: ApiKeyTable): readonly string[] | null {
  return allowed_networks === null ? null : JSON.parse(allowed_networks)
}

function termColumns({ limitPerMinute = null, allowedNetworks = null }: Partial<KeyTerms>) {
  return {
    limit_per_minute: limitPerMinute,
    allowed_networks: allowedNetworks === null ? null : JSON.stringify(allowedNetworks),
  }
}

/** As the audit trail tells them; what was not said is not told. */
function termsDetail({ limitPerMinute, allowedNetworks }: KeyTerms): Record<string, string> {
  return {
    ...(limitPerMinute === null ? {} : { limit_per_minute: String(limitPerMinute) }),
    ...(allowedNetworks === null ? {} : { allowed_addresses: allowedNetworks.join(', ') }),
  }
}

/** A key above the organization's tier is neither made nor succeeded, whoever asks for it. */
async function checkTier(tx: Tx, organizationId: string, tier: Tier): Promise<void> {
  const highest = await tierOfOrganization(tx, organizationId)
  if (covers(highest, tier)) return
  throw conflict('tier', `The organization may use tiers up to ${highest}, and the key's is ${tier}.`)
}
