import { hostname } from 'node:os'
import { FIRST_START } from './access/actor.ts'
import type { AccessStore } from './access/store.ts'
import { TIERS, type Tier } from './contract/tiers.ts'
import type { Database } from './db/open.ts'
import { MINUTE_MS } from './time.ts'

const SHOWN = 'demo_keys_shown'
const CLAIMED = 'demo_keys_claimed'
/** A claim from another machine counts for so long; whether it still runs cannot be asked from here. */
const CLAIM_MS = MINUTE_MS

/**
 * The organization "Demo" with one key per tier, made and shown once, at the first start of an empty store. A start
 * that was killed between making and showing makes new keys: nobody has seen the old ones.
 */
export async function demoKeys(
  db: Database,
  access: AccessStore,
  now: number,
): Promise<Record<Tier, string> | undefined> {
  const setting = await db.query.selectFrom('setting').where('name', '=', SHOWN).selectAll().executeTakeFirst()
  if (setting) return undefined
  if (!(await claimFirstStart(db, now))) return undefined
  const organizations = await access.organizations()
  const demo = organizations.find(({ name }) => name === 'Demo')
  if (organizations.length > (demo ? 1 : 0)) return undefined
  const { id } = demo ?? (await access.createOrganization('Demo', FIRST_START, now))
  for (const key of await access.keys(id)) await access.revokeKey(id, key.id, FIRST_START, now)
  const secrets: Partial<Record<Tier, string>> = {}
  for (const tier of TIERS) {
    const fresh = { tier, name: `Demo ${tier}`, expiresAt: null }
    secrets[tier] = (await access.createKey(id, fresh, FIRST_START, now)).secret
  }
  return secrets as Record<Tier, string>
}

/**
 * Of several servers that start together on one empty store, one makes and shows the keys; otherwise each would revoke
 * what another has just shown. The claim of a server that was killed counts for nothing.
 */
async function claimFirstStart(db: Database, now: number): Promise<boolean> {
  const mine = JSON.stringify({ host: hostname(), pid: process.pid, at: now })
  return db.transaction(async (tx) => {
    const before = await tx.selectFrom('setting').where('name', '=', CLAIMED).selectAll().executeTakeFirst()
    if (before === undefined) {
      const made = await tx
        .insertInto('setting')
        .values({ name: CLAIMED, value: mine })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .executeTakeFirst()
      return Number(made.numInsertedOrUpdatedRows) === 1
    }
    if (isRunning(before.value, now)) return false
    const taken = await tx
      .updateTable('setting')
      .set({ value: mine })
      .where('name', '=', CLAIMED)
      .where('value', '=', before.value)
      .executeTakeFirst()
    return Number(taken.numUpdatedRows) === 1
  })
}

function isRunning(claim: string, now: number): boolean {
  const { host, pid, at } = JSON.parse(claim) as { host: string; pid: number; at: number }
  if (host !== hostname()) return Math.abs(now - at) < CLAIM_MS
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

export async function rememberShown(db: Database): Promise<void> {
  await db.transaction((tx) => db.insertMany(tx, 'setting', [{ name: SHOWN, value: 'yes' }], { conflict: ['name'] }))
}

export function demoMessage(secrets: Record<Tier, string>, baseUrl: string): string {
  return `
First start: the organization "Demo" has one key per tier. They are shown this once.
  public      ${secrets.public}
  paid        ${secrets.paid}
  enterprise  ${secrets.enterprise}

Try it:
  curl -H 'Authorization: Bearer ${secrets.public}' '${baseUrl}/api/devices?search=iphone+13&limit=1'

The catalogue is real. Market prices and identifier lists are samples until you import your own,
and every answer built on them says so. Start with SAMPLE_DATA=off to have none.
`
}
