import { type RawBuilder, sql } from 'kysely'
import { STORAGE, STORAGE_KINDS, type StorageKind, type StoredAmountWire } from '../contract/storage.ts'
import { limitReached } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import type { Database, Tx } from './database.ts'

/** What is stored of each kind: a count or a sum that an index answers, or a running total. */
const USED: Readonly<Record<StorageKind, (organizationId: string, now: number) => RawBuilder<unknown>>> = {
  lookups: (id) => sql`select total as used from lookup_total where organization_id = ${id}`,
  appraisals: (id) => sql`select sum(total) as used from appraisal_total where organization_id = ${id}`,
  lists: (id) => sql`select count(*) as used from device_list where organization_id = ${id}`,
  list_rows: (id) => sql`select sum(bytes) as used from device_list where organization_id = ${id}`,
  words: (id) => sql`select sum(words) as used from device_list_words where organization_id = ${id}`,
  stock_photos: (id) => sql`select sum(bytes) as used from stock_photo where organization_id = ${id}`,
  seller_photos: (id) => sql`select sum(bytes) as used from seller_photo where organization_id = ${id}`,
  watches: (id) => sql`select count(*) as used from watch where organization_id = ${id}`,
  share_codes: (id) =>
    sql`select count(*) as used from appraisal_share where organization_id = ${id} and revoked_at is null`,
  keys: (id, now) =>
    sql`select count(*) as used from api_key where organization_id = ${id} and revoked_at is null
      and (expires_at is null or expires_at > ${now})`,
  webhooks: (id) => sql`select count(*) as used from webhook_endpoint where organization_id = ${id}`,
}

async function readUsed(query: Tx, organizationId: string, kind: StorageKind, now: number): Promise<number> {
  const { rows } = await (USED[kind](organizationId, now) as RawBuilder<{ used: number | null }>).execute(query)
  return Number(rows[0]?.used ?? 0)
}

export type StorageRequest = {
  readonly kind: StorageKind
  readonly amount: number
  /** What the error names. */
  readonly field: string
  readonly now: number
  /** Instead of the usual bound. */
  readonly limit?: number
}

/** Throws unless the organization may store `amount` more of a kind. Call it before the write, in its transaction. */
export async function requireStorage(query: Tx, organizationId: string, request: StorageRequest): Promise<void> {
  const { kind, amount, field, now, limit = STORAGE[kind].limit } = request
  const used = await readUsed(query, organizationId, kind, now)
  if (used + amount > limit) throw storageFull(kind, used, limit, field)
}

export function storageFull(kind: StorageKind, used: number, limit: number, field: string) {
  const { subject, unit, freedBy } = STORAGE[kind]
  const count = (value: number) => value.toLocaleString('en-US')
  const message = `${subject}: ${count(used)} of ${count(limit)} ${unit} are used. ${freedBy}`
  return limitReached(field, message, reason(`limit_${kind}`, { used, limit }))
}

/** Everything that the organization stores, beside its bounds. */
export async function readStorage(db: Database, organizationId: string, now: number): Promise<StoredAmountWire[]> {
  const amounts: StoredAmountWire[] = []
  for (const kind of STORAGE_KINDS) {
    const { unit, limit } = STORAGE[kind]
    amounts.push({ kind, unit, used: await readUsed(db.query, organizationId, kind, now), limit })
  }
  return amounts
}

/** Records are checked this often, because a lookup must not wait for a count. */
const RECHECK_MS = 10_000
const MAX_ORGANIZATIONS = 10_000

/** Rejects new records of an organization that has all it may have; `totals` are those of a commit. */
export function recordRoom(db: Database) {
  const checked = new Map<string, { readonly used: number; readonly at: number }>()
  return async (organizationId: string, kind: 'lookups' | 'appraisals', now: number): Promise<void> => {
    const id = `${kind} ${organizationId}`
    let entry = checked.get(id)
    if (!entry || now - entry.at > RECHECK_MS || now < entry.at) {
      entry = { used: await readUsed(db.query, organizationId, kind, now), at: now }
      if (checked.size >= MAX_ORGANIZATIONS) checked.clear()
      checked.set(id, entry)
    }
    const { limit } = STORAGE[kind]
    if (entry.used >= limit) throw storageFull(kind, entry.used, limit, kind)
  }
}
