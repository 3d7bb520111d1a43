import { sortableId } from '../access/id.ts'
import type { Database, Tx } from '../db/open.ts'

export type Actor = { readonly personId: string | null; readonly who: string }
export type Deed = { readonly action: string; readonly subject: string; readonly detail?: Record<string, string> }

/** What was done in an organization and by whom. */
export function activityStore(db: Database) {
  return {
    /** Tells of a change that another store has made, in a transaction of its own. */
    async recordDeed(organizationId: string, actor: Actor, deed: Deed, now: number): Promise<void> {
      await db.transaction((tx) => record(tx, organizationId, actor, deed, now))
    },

    async activity(organizationId: string, page: { limit: number; offset: number }) {
      const mine = db.query.selectFrom('activity').where('organization_id', '=', organizationId)
      const { total } = await mine.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const rows = await mine.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute()
      return { rows, total: Number(total) }
    },

    /** Who made which key, as the activity tells it. */
    async keyMakers(organizationId: string): Promise<Map<string, string>> {
      const rows = await db.query
        .selectFrom('activity')
        .select(['subject', 'who'])
        .where('organization_id', '=', organizationId)
        .where('action', 'in', ['key.created', 'key.rotated'])
        .execute()
      return new Map(rows.map((row) => [row.subject, row.who]))
    },
  }
}

/** Takes the transaction of the change it tells of, so that neither is there without the other. */
export async function record(tx: Tx, organizationId: string, actor: Actor, deed: Deed, now: number): Promise<void> {
  await tx
    .insertInto('activity')
    .values({
      id: sortableId('act', now),
      organization_id: organizationId,
      person_id: actor.personId,
      who: actor.who,
      action: deed.action,
      subject: deed.subject,
      detail: JSON.stringify(deed.detail ?? {}),
      created_at: now,
    })
    .execute()
}
