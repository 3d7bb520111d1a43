import type { Database, Tx } from '../db/database.ts'
import type { Actor } from './actor.ts'
import { writeAuditEntry } from './audit-store.ts'
import { requireOrganization } from './organization-store.ts'

const OPERATOR_SETTING = 'operator_organization'

/** The organization that runs the service: what all organizations share is changed by its owners alone. */
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

/** Both sides find it in their activity: who runs the service now, and who did. */
export async function writeOperator(tx: Tx, organizationId: string, actor: Actor, now: number): Promise<void> {
  const before = await tx.selectFrom('setting').select('value').where('name', '=', OPERATOR_SETTING).executeTakeFirst()
  if (before?.value === organizationId) return
  await tx
    .insertInto('setting')
    .values({ name: OPERATOR_SETTING, value: organizationId })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: organizationId }))
    .execute()
  for (const told of [organizationId, ...(before ? [before.value] : [])]) {
    const detail = { runs: told === organizationId ? 'yes' : 'no' }
    await writeAuditEntry(tx, told, actor, { action: 'organization.runs_service', subject: told, detail }, now)
  }
}
