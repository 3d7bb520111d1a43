import type { Database, Tx } from '../db/open.ts'
import type { ApiKeyTable } from '../db/schema.ts'
import { CommandError } from '../errors.ts'
import { TIERS, type Tier } from '../http/route.ts'
import { sortableId } from './id.ts'
import { keyHash, mintKey } from './key.ts'

export type Organization = {
  readonly id: string
  readonly name: string
  readonly limitPerMinute: number | null
  readonly createdAt: number
}

export type Key = {
  readonly id: string
  readonly organizationId: string
  readonly tier: Tier
  readonly name: string
  readonly lastFour: string
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
  readonly rotatedFrom: string | null
}

/** A key as the request path knows it. */
export type HeldKey = {
  readonly id: string
  readonly hash: string
  readonly organizationId: string
  readonly tier: Tier
  /** Requests per minute that the organization agreed on, if they differ from the tier's. */
  readonly limitPerMinute: number | null
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly revision: number
}

export type NewKey = {
  readonly organizationId: string
  readonly tier: Tier
  readonly name: string
  readonly expiresAt: number | null
}

const LONGEST_NAME = 100
const DAY_MS = 86_400_000
export const LONGEST_OVERLAP_DAYS = 30

export type AccessStore = ReturnType<typeof accessStore>

export function accessStore(db: Database) {
  const heldKeys = () =>
    db.query
      .selectFrom('api_key')
      .innerJoin('organization', 'organization.id', 'api_key.organization_id')
      .select([
        'api_key.id as id',
        'api_key.hash as hash',
        'api_key.organization_id as organizationId',
        'api_key.tier as tier',
        'organization.limit_per_minute as limitPerMinute',
        'api_key.expires_at as expiresAt',
        'api_key.revoked_at as revokedAt',
        'api_key.revision as revision',
      ])

  async function createOrganization(name: string, now: number): Promise<Organization> {
    const organization = { id: sortableId('org', now), name: named(name, 'organization'), createdAt: now }
    await db.transaction(async (tx) => {
      await tx
        .insertInto('organization')
        .values({ id: organization.id, name: organization.name, limit_per_minute: null, created_at: now })
        .execute()
    })
    return { ...organization, limitPerMinute: null }
  }

  async function insertKey(tx: Tx, fresh: NewKey, now: number, rotatedFrom: string | null) {
    const secret = mintKey(fresh.tier)
    const row: ApiKeyTable = {
      id: sortableId('key', now),
      organization_id: fresh.organizationId,
      tier: fresh.tier,
      name: named(fresh.name, 'key'),
      hash: keyHash(secret),
      last_four: secret.slice(-4),
      created_at: now,
      expires_at: fresh.expiresAt,
      last_used_at: null,
      revoked_at: null,
      rotated_from: rotatedFrom,
      revision: await db.announce(tx, 'access'),
    }
    await tx.insertInto('api_key').values(row).execute()
    return { secret, key: keyOf(row) }
  }

  return {
    createOrganization,

    async organizations(): Promise<Organization[]> {
      const rows = await db.query.selectFrom('organization').selectAll().orderBy('id').execute()
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        limitPerMinute: row.limit_per_minute,
        createdAt: row.created_at,
      }))
    },

    /** Its own number of requests per minute for each key, or null for the tier's. */
    async setLimit(organizationId: string, limitPerMinute: number | null): Promise<void> {
      await db.transaction(async (tx) => {
        await organizationOrRefusal(tx, organizationId)
        await tx
          .updateTable('organization')
          .set({ limit_per_minute: limitPerMinute })
          .where('id', '=', organizationId)
          .execute()
        const revision = await db.announce(tx, 'access')
        await tx.updateTable('api_key').set({ revision }).where('organization_id', '=', organizationId).execute()
      })
    },

    /** Makes a key. The secret is returned this once; only its hash is kept. */
    async createKey(fresh: NewKey, now: number): Promise<{ secret: string; key: Key }> {
      return db.transaction(async (tx) => {
        await organizationOrRefusal(tx, fresh.organizationId)
        return insertKey(tx, fresh, now, null)
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

    async revokeKey(keyId: string, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        const key = await keyOrRefusal(tx, keyId)
        if (key.revoked_at !== null && key.revoked_at <= now) return
        const revision = await db.announce(tx, 'access')
        await tx.updateTable('api_key').set({ revoked_at: now, revision }).where('id', '=', keyId).execute()
      })
    },

    /** Makes a successor of the same tier and name; the old key lives on for the overlap, never longer than it would have. */
    async rotateKey(keyId: string, overlapDays: number, now: number): Promise<{ secret: string; key: Key }> {
      return db.transaction(async (tx) => {
        const old = await keyOrRefusal(tx, keyId)
        if (old.revoked_at !== null && old.revoked_at <= now) {
          throw new CommandError(`Key ${keyId} is revoked and cannot be rotated; create a new one instead.`)
        }
        if (old.expires_at !== null && old.expires_at <= now) {
          throw new CommandError(`Key ${keyId} has expired and cannot be rotated; create a new one instead.`)
        }
        const endsAt = Math.min(now + overlapDays * DAY_MS, old.expires_at ?? Number.MAX_SAFE_INTEGER)
        const revision = await db.announce(tx, 'access')
        const ending = overlapDays === 0 ? { revoked_at: now } : { expires_at: endsAt }
        await tx
          .updateTable('api_key')
          .set({ ...ending, revision })
          .where('id', '=', keyId)
          .execute()
        const successor = {
          organizationId: old.organization_id,
          tier: tierOf(old.tier),
          name: old.name,
          expiresAt: old.expires_at === null ? null : now + (old.expires_at - old.created_at),
        }
        return insertKey(tx, successor, now, keyId)
      })
    },

    async heldKeysSince(revision: number): Promise<HeldKey[]> {
      const rows = await heldKeys().where('api_key.revision', '>', revision).execute()
      return rows.map((row) => ({ ...row, tier: tierOf(row.tier) }))
    },

    async findHeldKey(hash: string): Promise<HeldKey | undefined> {
      const row = await heldKeys().where('api_key.hash', '=', hash).executeTakeFirst()
      return row && { ...row, tier: tierOf(row.tier) }
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

async function organizationOrRefusal(tx: Tx, id: string): Promise<void> {
  const found = await tx.selectFrom('organization').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw new CommandError(`There is no organization ${id}; "org list" shows those there are.`)
}

async function keyOrRefusal(tx: Tx, id: string): Promise<ApiKeyTable> {
  const found = await tx.selectFrom('api_key').selectAll().where('id', '=', id).executeTakeFirst()
  if (!found) throw new CommandError(`There is no key ${id}; "key list --org ID" shows those there are.`)
  return found
}

function keyOf(row: ApiKeyTable): Key {
  return {
    id: row.id,
    organizationId: row.organization_id,
    tier: tierOf(row.tier),
    name: row.name,
    lastFour: row.last_four,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    rotatedFrom: row.rotated_from,
  }
}

function tierOf(text: string): Tier {
  const tier = TIERS.find((known) => known === text)
  if (!tier) throw new Error(`The store holds an unknown tier "${text}".`)
  return tier
}

function named(text: string, what: string): string {
  const name = text.trim().replace(/\p{Cc}/gu, '')
  if (!name || name.length > LONGEST_NAME) {
    throw new CommandError(`The name of ${what === 'key' ? 'a' : 'an'} ${what} has 1 to ${LONGEST_NAME} characters.`)
  }
  return name
}
