import type { AccessStore } from './access/store.ts'
import type { Database } from './db/open.ts'
import { TIERS, type Tier } from './http/route.ts'

const SHOWN = 'demo_keys_shown'

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
  const organizations = await access.organizations()
  const demo = organizations.find(({ name }) => name === 'Demo')
  if (organizations.length > (demo ? 1 : 0)) return undefined
  const { id } = demo ?? (await access.createOrganization('Demo', now))
  for (const key of await access.keys(id)) await access.revokeKey(key.id, now)
  const secrets: Partial<Record<Tier, string>> = {}
  for (const tier of TIERS) {
    const fresh = { organizationId: id, tier, name: `Demo ${tier}`, expiresAt: null }
    secrets[tier] = (await access.createKey(fresh, now)).secret
  }
  return secrets as Record<Tier, string>
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
