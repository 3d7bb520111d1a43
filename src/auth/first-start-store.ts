import { hostname } from 'node:os'
import { TIERS, type Tier } from '../contract/tiers.ts'
import type { Database, Tx } from '../db/database.ts'
import { readSetting, writeSetting } from '../db/setting-store.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { FIRST_START_ACTOR } from './actor.ts'
import type { AuthStore } from './auth-store.ts'
import type { OrganizationService } from './organization-service.ts'

const KEYS_SHOWN = 'first_keys_shown'
const FIRST_START_CLAIM = 'first_start_claimed'
/** Until set-up in the browser names it. */
const FIRST_NAME = 'My organization'
/** How long a claim of another machine is valid: its process cannot be checked from here. */
const CLAIM_LIFETIME_MS = MINUTE_MS

/**
 * Creates one organization with one key per tier on the first start of an empty database. A start that was killed before the
 * keys were shown creates new ones.
 */
export async function createFirstKeys(
  db: Database,
  auth: AuthStore,
  service: Pick<OrganizationService, 'create'>,
  now: number,
): Promise<Record<Tier, string> | undefined> {
  if ((await readSetting(db.query, KEYS_SHOWN)) !== undefined) return undefined
  if (!(await claimFirstStart(db, now))) return undefined
  const organizations = await auth.organizations()
  const existing = await findFirstOrganization(db.query)
  if (organizations.length > (existing === undefined ? 0 : 1)) return undefined
  const id = existing ?? (await service.create({ name: FIRST_NAME }, FIRST_START_ACTOR)).id
  for (const key of await auth.keys(id)) await auth.revokeKey(id, key.id, FIRST_START_ACTOR, now)
  const secrets: Partial<Record<Tier, string>> = {}
  for (const tier of TIERS) {
    const newKey = { tier, name: `First ${tier} key`, expiresAt: null }
    secrets[tier] = (await auth.createKey(id, newKey, FIRST_START_ACTOR, now)).secret
  }
  return secrets as Record<Tier, string>
}

/** Its creation is among the first entries of an organization; the whole trail may have millions. */
const FIRST_ENTRIES = 20

/** The organization that the first start created, if it exists: the oldest one. */
export async function findFirstOrganization(tx: Tx): Promise<string | undefined> {
  const oldest = await tx
    .selectFrom('organization')
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return undefined
  const entries = await tx
    .selectFrom('audit_entry')
    .select(['action', 'who'])
    .where('organization_id', '=', oldest.id)
    .orderBy('id')
    .limit(FIRST_ENTRIES)
    .execute()
  const isCreation = ({ action, who }: (typeof entries)[number]) =>
    action === 'organization.created' && who === FIRST_START_ACTOR.who
  return entries.some(isCreation) ? oldest.id : undefined
}

/**
 * Of several servers that start together on an empty database, one creates the keys; otherwise each would revoke keys that
 * another has just shown. The claim of a killed server is ignored.
 */
async function claimFirstStart(db: Database, now: number): Promise<boolean> {
  const ownClaim = JSON.stringify({ host: hostname(), pid: process.pid, at: now })
  return db.transaction(async (tx) => {
    const existingClaim = await readSetting(tx, FIRST_START_CLAIM)
    if (existingClaim === undefined) {
      const inserted = await tx
        .insertInto('setting')
        .values({ name: FIRST_START_CLAIM, value: ownClaim })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .executeTakeFirst()
      return Number(inserted.numInsertedOrUpdatedRows) === 1
    }
    if (isClaimHolderRunning(existingClaim, now)) return false
    const updated = await tx
      .updateTable('setting')
      .set({ value: ownClaim })
      .where('name', '=', FIRST_START_CLAIM)
      .where('value', '=', existingClaim)
      .executeTakeFirst()
    return Number(updated.numUpdatedRows) === 1
  })
}

function isClaimHolderRunning(claim: string, now: number): boolean {
  const { host, pid, at } = JSON.parse(claim) as { host: string; pid: number; at: number }
  if (host !== hostname()) return Math.abs(now - at) < CLAIM_LIFETIME_MS
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

export async function markFirstKeysShown(db: Database): Promise<void> {
  await db.transaction((tx) => writeSetting(tx, KEYS_SHOWN, 'yes'))
}

export function firstStartMessage(secrets: Record<Tier, string>, baseUrl: string): string {
  return `
First start: created your organization with one key per tier (shown once). Set-up in the browser names it.
  public      ${secrets.public}
  paid        ${secrets.paid}
  enterprise  ${secrets.enterprise}
public: devices, variants, titles; paid: also prices, repairs, offers; enterprise: also IMEI checks, watches, events.

Try it:
  curl -H 'Authorization: Bearer ${secrets.public}' '${baseUrl}/api/devices?search=iphone+13&limit=1'

The catalogue is real. Market prices and identifier lists are samples until you import your own,
and every response based on them says so. Set SAMPLE_DATA=off to start without samples.
`
}
