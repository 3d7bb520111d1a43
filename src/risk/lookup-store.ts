import { sql } from 'kysely'
import type { Database } from '../db/open.ts'
import type { LookupTable } from '../db/schema.ts'
import { historyPages } from '../durable/history-store.ts'
import type { Total, Writes } from '../durable/record-store.ts'
import { deleteRecordsBelow } from '../durable/retention-store.ts'
import { lookupIdBound } from './lookup-id.ts'

export type LookupRecord = {
  readonly id: string
  readonly organizationId: string
  readonly identifierKey: string
  readonly createdAt: number
  /** The JSON the caller gets as `data`. */
  readonly answer: string
}

/** Which lookups to export: from an instant on, up to one, of one identifier. */
export type ExportRange = { readonly from?: number; readonly to?: number; readonly identifierKey?: string }

export type HistoryPage = {
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
  const total: Total = { name: 'lookup_total', addition }
  const pageOf = historyPages(db, lookupIdBound)

  return {
    /** What a few lookups of one organization put into the store. */
    writes(organizationId: string, records: readonly LookupRecord[]): Writes {
      if (records.length === 0) return { tables: [], counts: [] }
      return {
        tables: [{ table: 'lookup', rows: records.map(rowOf) }],
        counts: [{ total, key: [organizationId], by: records.length }],
      }
    },

    /** The answers of one organization, newest first, as the JSON they were. */
    async history(organizationId: string, page: HistoryPage) {
      const mine = db.replica.selectFrom('lookup').where('organization_id', '=', organizationId)
      const wanted = page.identifierKey === null ? mine : mine.where('identifier_key', '=', page.identifierKey)
      const { offset, limit, now } = page
      const request = { name: `${organizationId} ${page.identifierKey ?? ''}`, offset, limit, now }
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
    async *export(organizationId: string, range: ExportRange = {}): AsyncGenerator<string[]> {
      let after = range.from === undefined ? '' : lookupIdBound(range.from)
      for (;;) {
        let query = db.replica
          .selectFrom('lookup')
          .select(['id', 'answer'])
          .where('organization_id', '=', organizationId)
          .where('id', '>', after)
        if (range.to !== undefined) query = query.where('id', '<', lookupIdBound(range.to))
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
      deleteRecordsBelow(db, 'lookup', lookupIdBound(before), [{ table: 'lookup_total', key: ['organization_id'] }]),
  }
}

function rowOf({ organizationId, id, identifierKey, createdAt, answer }: LookupRecord): LookupTable {
  return { organization_id: organizationId, id, identifier_key: identifierKey, created_at: createdAt, answer }
}
