import type { Database, Tx } from '../db/database.ts'
import type { Actor } from './actor.ts'
import { writeAuditEntry } from './audit-store.ts'
import { requireOrganization } from './organization-store.ts'

const OPERATOR_SETTING = 'operator_organization'

/** The organization that operates the service: only its owners may change data that all organizations share. */
export function operatorStore(db: Database) {
  return {
    async operatorOrganization(): Promise<string | null> {
      const row = await db.query
        .selectFrom('setting')
        .select('value')
        .where('name', '=', OPERATOR_SETTING)
        .executeTakeFirst()
      return row?.value ?? null
    },

    async setOperatorOrganization(organizationId: string, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await requireOrganization(tx, organizationId)
        await writeOperator(tx, organizationId, actor, now)
      })
    },
  }
}

/** Writes an audit entry for the new and the previous operator organization. */
export async function writeOperator(tx: Tx, organizationId: string, actor: Actor, now: number): Promise<void> {
  const previous = await tx
    .selectFrom('setting')
    .select('value')
    .where('name', '=', OPERATOR_SETTING)
    .executeTakeFirst()
  if (previous?.value === organizationId) return
  await tx
    .insertInto('setting')
    .values({ name: OPERATOR_SETTING, value: organizationId })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: organizationId }))
    .execute()
  for (const affected of [organizationId, ...(previous ? [previous.value] : [])]) {
    const detail = { runs: affected === organizationId ? 'yes' : 'no' }
    await writeAuditEntry(tx, affected, actor, { action: 'organization.runs_service', subject: affected, detail }, now)
  }
}
