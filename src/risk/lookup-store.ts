import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { LookupTable } from '../db/schema.ts'
import { openHistory } from '../records/history-store.ts'
import type { RecordWrites, RunningTotal } from '../records/record-store.ts'
import { deleteRecordsBelow } from '../records/retention-store.ts'
import { minLookupIdAt } from './lookup-id.ts'

export type LookupRecord = {
  readonly id: string
  readonly organizationId: string
  readonly identifierKey: string
  readonly createdAt: number
  /** The JSON the caller gets as `data`. */
  readonly json: string
}

/** Which lookups to export: from an instant on, up to one, of one identifier. */
export type LookupExportRange = { readonly from?: number; readonly to?: number; readonly identifierKey?: string }

export type LookupHistoryPage = {
  readonly offset: number
  readonly limit: number
  readonly identifierKey: string | null
  readonly now: number
}

export type LookupStore = ReturnType<typeof lookupStore>

const STEP_ROWS = 500
/** The lookups that were answered, each organization's for itself. */
export function lookupStore(db: Database) {
  // Compiled once: this runs with every commit.
  const addition = db.query
    .insertInto('lookup_total')
    .values({ organization_id: '', total: 0 })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ total: sql<number>`lookup_total.total + excluded.total` }),
    )
    .compile()
  const total: RunningTotal = { name: 'lookup_total', incrementQuery: addition }
  const pageOf = openHistory(db, minLookupIdAt)

  return {
    /** What a few lookups of one organization put into the store. */
    writes(organizationId: string, records: readonly LookupRecord[]): RecordWrites {
      if (records.length === 0) return { tables: [], totals: [] }
      return {
        tables: [{ table: 'lookup', rows: records.map(toRow) }],
        totals: [{ total, key: [organizationId], by: records.length }],
      }
    },

    /** The answers of one organization, newest first, as the JSON they were. */
    async history(organizationId: string, page: LookupHistoryPage) {
      const mine = db.replica.selectFrom('lookup').where('organization_id', '=', organizationId)
      const wanted = page.identifierKey === null ? mine : mine.where('identifier_key', '=', page.identifierKey)
      const { offset, limit, now } = page
      const request = { cacheKey: `${organizationId} ${page.identifierKey ?? ''}`, offset, limit, now }
      if (page.identifierKey !== null) return pageOf(wanted, request)
      const counted = await db.replica
        .selectFrom('lookup_total')
        .select('total')
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      return pageOf(wanted, { ...request, total: Number(counted?.total ?? 0) })
    },

    /** One answer of one organization, as the JSON it was. */
    async find(organizationId: string, id: string): Promise<string | null> {
      const row = await db.query
        .selectFrom('lookup')
        .select('answer')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.answer ?? null
    },

    /** The answers of one organization, oldest first, in steps, so that an export never holds the store or the memory. */
    async *export(organizationId: string, range: LookupExportRange = {}): AsyncGenerator<string[]> {
      let after = range.from === undefined ? '' : minLookupIdAt(range.from)
      for (;;) {
        let query = db.replica
          .selectFrom('lookup')
          .select(['id', 'answer'])
          .where('organization_id', '=', organizationId)
          .where('id', '>', after)
        if (range.to !== undefined) query = query.where('id', '<', minLookupIdAt(range.to))
        if (range.identifierKey !== undefined) query = query.where('identifier_key', '=', range.identifierKey)
        const rows = await query.orderBy('id').limit(STEP_ROWS).execute()
        const last = rows.at(-1)
        if (!last) return
        yield rows.map(({ answer }) => answer)
        after = last.id
      }
    },

    /** Deletes lookups made before `before`, by whole months or a few at a time; gives the number deleted. */
    deleteLookupsBefore: (before: number): Promise<number> =>
      deleteRecordsBelow(db, 'lookup', minLookupIdAt(before), [{ table: 'lookup_total', key: ['organization_id'] }]),
  }
}

function toRow({ organizationId, id, identifierKey, createdAt, json: answer }: LookupRecord): LookupTable {
  return { organization_id: organizationId, id, identifier_key: identifierKey, created_at: createdAt, answer }
}
