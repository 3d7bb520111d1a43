import type { Actor } from '../auth/actor.ts'
import { type AuditEntry, writeAuditEntry } from '../auth/audit-store.ts'
import type { Database } from '../db/database.ts'
import { writeSetting } from '../db/setting-store.ts'

/** Of rows in the table `setting` that the dashboard changes. */
export const SERVICE_SETTING_PREFIX = 'service:'

export type ServiceSettingsStore = ReturnType<typeof serviceSettingsStore>

/** Settings of the whole service that were changed in the dashboard, by name. */
export function serviceSettingsStore(db: Database) {
  return {
    async read(): Promise<ReadonlyMap<string, string>> {
      const rows = await db.query
        .selectFrom('setting')
        .selectAll()
        .where('name', 'like', `${SERVICE_SETTING_PREFIX}%`)
        .orderBy('name')
        .execute()
      return new Map(rows.map(({ name, value }) => [name.slice(SERVICE_SETTING_PREFIX.length), value]))
    },

    /** Writes or, with null, deletes settings, each with its audit entry; every process reloads them. */
    async writeAll(
      changes: readonly { readonly name: string; readonly value: string | null; readonly entry: AuditEntry }[],
      { organizationId, actor, now }: { readonly organizationId: string; readonly actor: Actor; readonly now: number },
    ): Promise<void> {
      await db.transaction(async (tx) => {
        for (const { name, value, entry } of changes) {
          const row = SERVICE_SETTING_PREFIX + name
          if (value === null) await tx.deleteFrom('setting').where('name', '=', row).execute()
          else await writeSetting(tx, row, value)
          await writeAuditEntry(tx, organizationId, actor, entry, now)
        }
        await db.announceChange(tx, 'settings')
      })
    },

    /** For an action that changes no setting, such as a backup. */
    async record(organizationId: string, actor: Actor, entry: AuditEntry, now: number): Promise<void> {
      await db.transaction((tx) => writeAuditEntry(tx, organizationId, actor, entry, now))
    },
  }
}
