import { type RawBuilder, sql } from 'kysely'
import type { AuditAction } from '../contract/audit.ts'
import type { Database, Tx } from '../db/database.ts'
import { contains, matchingKeys } from '../db/record-search.ts'
import type { AuditEntryTable } from '../db/schema.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { sortableId } from '../lib/id.ts'
import { isoInstant } from '../lib/time.ts'
import type { Actor } from './actor.ts'

export type AuditEntry = {
  readonly action: AuditAction
  /** What was changed: the id of a key or an organization, the e-mail address of a person. */
  readonly subject: string
  readonly detail?: Readonly<Record<string, string>>
}

/** Instead of an organization id: changes that concern all organizations, such as imported lists. */
export const WHOLE_SERVICE = ''

const EXPORT_PAGE_ROWS = 1_000
/** Rows read at a time and per request, if a filter leaves most of them out. */
const FILTER_STEP_ROWS = 500
const MAX_FILTERED_ROWS = 20_000
const ROWS_PER_STEP = 500

const presentEntry = (row: AuditEntryTable) => ({ id: row.id, ...presentChange(row) })

/** Who changed what and when, without the id of the entry. */
export const presentChange = ({
  organization_id,
  who,
  action,
  subject,
  detail,
  created_at,
}: Omit<AuditEntryTable, 'id' | 'account_id'>) => ({
  organization_id,
  at: isoInstant(created_at),
  who,
  action,
  subject,
  detail: JSON.parse(detail) as unknown,
})

export type AuditRow = AuditEntryTable & { readonly isForAll: boolean }

type AuditPageQuery = {
  readonly limit: number
  /** Id of the last entry the caller has. */
  readonly after?: string | undefined
  readonly matches?: ((row: AuditRow) => boolean) | undefined
}

type AuditPage = { readonly rows: readonly AuditRow[]; readonly nextAfter: string | null }

/** The audit trail of an organization, including changes that concern all. Append-only. */
export function auditStore(db: Database) {
  /** One query per organization id, because an index scan for both at once would sort the whole trail. */
  async function newestOf(
    organizationId: string | null,
    below: string | undefined,
    limit: number,
  ): Promise<AuditEntryTable[]> {
    const newest = (organizationId === null ? [null] : [organizationId, WHOLE_SERVICE]).map((id) => {
      const all = db.query.selectFrom('audit_entry').selectAll()
      const own = id === null ? all : all.where('organization_id', '=', id)
      const older = below === undefined ? own : own.where('id', '<', below)
      return older.orderBy('id', 'desc').limit(limit).execute()
    })
    const rows = (await Promise.all(newest)).flat()
    return rows.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit)
  }

  return {
    /**
     * One page, newest first; of all organizations if the id is null. `nextAfter` is null on the last page. A page of a filtered trail may be short of its limit and
     * still have a next one, because the rows read per request are limited.
     */
    async auditTrail(organizationId: string | null, { limit, after, matches }: AuditPageQuery): Promise<AuditPage> {
      const rows: AuditPage['rows'][number][] = []
      const stepRows = matches ? FILTER_STEP_ROWS : limit + 1
      let below = after
      for (let read = 0; read < MAX_FILTERED_ROWS; read += stepRows) {
        const step = await newestOf(organizationId, below, stepRows)
        for (const row of step) {
          const entry = { ...row, isForAll: row.organization_id === WHOLE_SERVICE }
          if (matches && !matches(entry)) continue
          if (rows.length === limit) return { rows, nextAfter: rows.at(-1)?.id ?? null }
          rows.push(entry)
        }
        if (step.length < stepRows) return { rows, nextAfter: null }
        below = step.at(-1)?.id
        await yieldToEventLoop()
      }
      return { rows, nextAfter: below ?? null }
    },

    /** For a change that is not made in a transaction of its own. */
    writeEntry: (organizationId: string, actor: Actor, entry: AuditEntry, now: number) =>
      db.transaction((tx) => writeAuditEntry(tx, organizationId, actor, entry, now)),

    /** The whole trail, oldest first. */
    async *export(
      organizationId: string,
      { from, to }: { from?: number; to?: number },
    ): AsyncGenerator<ReturnType<typeof presentEntry>[]> {
      for (let after = ''; ; ) {
        let page = db.query
          .selectFrom('audit_entry')
          .selectAll()
          .where('organization_id', 'in', [organizationId, WHOLE_SERVICE])
          .where('id', '>', after)
        if (from !== undefined) page = page.where('created_at', '>=', from)
        if (to !== undefined) page = page.where('created_at', '<', to)
        const rows = await page.orderBy('id').limit(EXPORT_PAGE_ROWS).execute()
        const last = rows.at(-1)
        if (!last) return
        after = last.id
        yield rows.map(presentEntry)
      }
    },
  }
}

/** Uses the transaction of the change itself, so that neither exists without the other. */
export async function writeAuditEntry(
  tx: Tx,
  organizationId: string,
  actor: Actor,
  entry: AuditEntry,
  now: number,
): Promise<void> {
  await tx
    .insertInto('audit_entry')
    .values(auditRow(organizationId, actor, entry, now))
    .execute()
}

/** The row of an entry, for changes that are written with the records of a response. */
export const auditRow = (organizationId: string, actor: Actor, entry: AuditEntry, now: number): AuditEntryTable => ({
  id: sortableId('act', now),
  organization_id: organizationId,
  account_id: actor.personId,
  who: actor.who,
  action: entry.action,
  subject: entry.subject,
  detail: JSON.stringify({ ...entry.detail, ...(actor.device ? { device: actor.device } : {}) }),
  created_at: now,
})

/** Entries of the organization and of the whole service by an account, or about it under one of its addresses. */
export async function findAuditEntriesOf(
  db: Database,
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
  emails: readonly string[],
): Promise<AuditEntryTable[]> {
  const conditions = [
    sql`account_id = ${id}`,
    ...emails.flatMap((email) => [sql`who = ${email}`, sql`subject = ${email}`, contains('detail', email)]),
  ]
  const isConcerned = sql<boolean>`(${sql.join(conditions, sql` or `)})`
  const ofOrganization = await searchAudit(db, organizationId, isConcerned)
  const ofService = await searchAudit(db, WHOLE_SERVICE, isConcerned)
  return [...ofOrganization, ...ofService].sort((left, right) => (left.id < right.id ? -1 : 1))
}

/** The entries of an organization that meet a condition without an index, oldest first. */
export async function searchAudit(
  db: Database,
  organizationId: string,
  condition: RawBuilder<boolean>,
): Promise<AuditEntryTable[]> {
  const entries: AuditEntryTable[] = []
  const search = { table: 'audit_entry', key: 'id', organizationId, conditions: [condition], order: 'asc' } as const
  for await (const ids of matchingKeys<string>(db, search))
    for (let at = 0; at < ids.length; at += ROWS_PER_STEP) {
      const step = ids.slice(at, at + ROWS_PER_STEP)
      const rows = db.query.selectFrom('audit_entry').selectAll().where('id', 'in', step).orderBy('id')
      entries.push(...(await rows.execute()))
      await yieldToEventLoop()
    }
  return entries
}

/** The only change of entries that is ever made: taking personal data of an erased person out of their texts. */
export async function rewriteAuditEntries(
  db: Database,
  entries: readonly AuditEntryTable[],
  rewrite: (text: string) => string,
): Promise<void> {
  for (let at = 0; at < entries.length; at += ROWS_PER_STEP) {
    await db.transaction(async (tx) => {
      for (const { id, who, subject, detail } of entries.slice(at, at + ROWS_PER_STEP)) {
        const row = { who: rewrite(who), subject: rewrite(subject), detail: rewrite(detail) }
        await tx.updateTable('audit_entry').set(row).where('id', '=', id).execute()
      }
    })
  }
}
