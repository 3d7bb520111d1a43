import type { Database, Tx } from '../db/database.ts'
import { readSetting, writeSetting } from '../db/setting-store.ts'
import type { Actor } from './actor.ts'
import { writeAuditEntry } from './audit-store.ts'
import { requireOrganization } from './organization-store.ts'

const OPERATOR_SETTING = 'operator_organization'

/** The organization that operates the service: only its owners may change data that all organizations share. */
export function operatorStore(db: Database) {
  return {
    async operatorOrganization(): Promise<string | null> {
      return readOperatorOrganization(db.query)
    },

    async setOperatorOrganization(organizationId: string, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await requireOrganization(tx, organizationId)
        await writeOperator(tx, organizationId, actor, now)
      })
    },
  }
}

/** Null before the service is set up. */
export async function readOperatorOrganization(tx: Tx): Promise<string | null> {
  return (await readSetting(tx, OPERATOR_SETTING)) ?? null
}

/** Writes an audit entry for the new and the previous operator organization. */
export async function writeOperator(tx: Tx, organizationId: string, actor: Actor, now: number): Promise<void> {
  const previous = await readSetting(tx, OPERATOR_SETTING)
  if (previous === organizationId) return
  await writeSetting(tx, OPERATOR_SETTING, organizationId)
  for (const affected of previous === undefined ? [organizationId] : [organizationId, previous]) {
    const detail = { runs: affected === organizationId ? 'yes' : 'no' }
    await writeAuditEntry(tx, affected, actor, { action: 'organization.runs_service', subject: affected, detail }, now)
  }
}
