import { sql } from 'kysely'
import { type MemberRole, parseRole, roleIncludes } from '../contract/account-limits.ts'
import { DEFAULT_LANGUAGE, findLanguage } from '../contract/languages.ts'
import type { Database } from '../db/database.ts'
import { readSetting, writeSetting } from '../db/setting-store.ts'
import { ALERT_TYPES } from './event-alerts.ts'
import type { Recipient } from './mail.ts'

/** Setting with the position of the last event that was considered, as `revision:ordinal`. */
const POSITION = 'mail_alerts_position'
const MAX_EVENTS = 500

export type AlertEvent = { readonly organizationId: string; readonly type: string; readonly data: string }
export type AlertStore = ReturnType<typeof alertStore>

/** Events that are yet to be mailed, and who gets them. */
export function alertStore(db: Database) {
  const savePosition = (revision: number, ordinal: number) =>
    db.transaction((tx) => writeSetting(tx, POSITION, `${revision}:${ordinal}`))

  return {
    /**
     * The next events, each returned once. The first call only stores the position of the newest event, so that no mail is
     * sent about events from before mail was configured.
     */
    async takeEvents(): Promise<{ readonly events: readonly AlertEvent[]; readonly hasMore: boolean }> {
      const position = await readSetting(db.query, POSITION)
      if (position === undefined) {
        const newest = await db.query
          .selectFrom('event')
          .select(['revision', 'ordinal'])
          .orderBy('revision', 'desc')
          .orderBy('ordinal', 'desc')
          .limit(1)
          .executeTakeFirst()
        await savePosition(newest?.revision ?? 0, newest?.ordinal ?? 0)
        return { events: [], hasMore: false }
      }
      const [revision = 0, ordinal = 0] = position.split(':').map(Number)
      const rows = await db.query
        .selectFrom('event')
        .select(['revision', 'ordinal', 'organization_id as organizationId', 'type', 'data'])
        .where(sql<boolean>`(revision, ordinal) > (${revision}, ${ordinal})`)
        .orderBy('revision')
        .orderBy('ordinal')
        .limit(MAX_EVENTS)
        .execute()
      const last = rows.at(-1)
      if (last) await savePosition(last.revision, last.ordinal)
      const events = rows.filter((row) => (ALERT_TYPES as string[]).includes(row.type) && row.organizationId !== '')
      return { events, hasMore: rows.length === MAX_EVENTS }
    },

    /** Name of an organization and its members with at least the role, each with a language. */
    async recipients(organizationId: string, role: MemberRole) {
      const rows = await db.query
        .selectFrom('account')
        .innerJoin('organization', 'organization.id', 'account.organization_id')
        .leftJoin('receipt_details', 'receipt_details.organization_id', 'account.organization_id')
        .select(['account.email', 'account.language', 'account.role', 'organization.name', 'receipt_details.document'])
        .where('account.organization_id', '=', organizationId)
        .execute()
      return {
        organization: rows[0]?.name ?? '',
        people: rows
          .filter((row) => roleIncludes(parseRole(row.role), role))
          .map(({ email, language, document }): Recipient => {
            const receiptLanguage: unknown = document === null ? '' : JSON.parse(document).language
            return { email, language: findLanguage(language || String(receiptLanguage ?? '')) ?? DEFAULT_LANGUAGE }
          }),
      }
    },
  }
}
