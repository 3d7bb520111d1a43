import type { LookupResultWire } from '../contract/lookups.ts'
import type { Database } from '../db/database.ts'
import type { LookupTable } from '../db/schema.ts'
import { type HistoryPage, type HistoryQuery, readHistory } from '../records/history-store.ts'
import { type RecordWrites, runningTotal } from '../records/record-store.ts'
import { deleteRecordsBelow } from '../records/retention-store.ts'
import { parseStoredJson, shortenLookup } from '../records/stored-json.ts'
import { minLookupIdAt } from './lookup-id.ts'

export type LookupRecord = {
  readonly id: string
  readonly organizationId: string
  readonly identifierKey: string
  /** Of the other IMEI of a device with two SIM cards. */
  readonly secondIdentifierKey?: string | null
  readonly createdAt: number
  readonly result: LookupResultWire
}

/** Filter of an export: time range (from inclusive, to exclusive) and identifier. */
export type LookupExportRange = { readonly from?: number; readonly to?: number; readonly identifierKey?: string }

export type LookupPage = HistoryPage<LookupResultWire>

export type LookupStore = ReturnType<typeof lookupStore>

const STEP_ROWS = 500

/** Stored lookups of each organization. */
export function lookupStore(db: Database) {
  const total = runningTotal(db, 'lookup_total', ['organization_id'])

  const ofOrganization = (organizationId: string) =>
    db.query.selectFrom('lookup').where('organization_id', '=', organizationId)

  /** Lookups of an identifier, also as the second IMEI of a device. Few identifiers are one: the usual query stays simple. */
  async function ofIdentifier(organizationId: string, identifierKey: string) {
    const lookups = ofOrganization(organizationId)
    const asSecond = await lookups.select('id').where('second_identifier_key', '=', identifierKey).executeTakeFirst()
    if (!asSecond) return lookups.where('identifier_key', '=', identifierKey)
    return lookups.where((eb) =>
      eb.or([eb('identifier_key', '=', identifierKey), eb('second_identifier_key', '=', identifierKey)]),
    )
  }

  return {
    /** The rows and totals of new lookups. */
    writes(organizationId: string, records: readonly LookupRecord[]): RecordWrites {
      if (records.length === 0) return { tables: [], totals: [] }
      return {
        tables: [{ table: 'lookup', rows: records.map(toRow) }],
        totals: [{ total, key: [organizationId], by: records.length }],
      }
    },

    /** Lookups of one organization, newest first. */
    async history(organizationId: string, page: HistoryQuery, identifierKey?: string): Promise<LookupPage> {
      if (identifierKey !== undefined) return readHistory(db, await ofIdentifier(organizationId, identifierKey), page)
      const row = await db.query
        .selectFrom('lookup_total')
        .select('total')
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      return readHistory(db, ofOrganization(organizationId), { ...page, total: Number(row?.total ?? 0) })
    },

    async find(organizationId: string, id: string): Promise<LookupResultWire | null> {
      const row = await db.query
        .selectFrom('lookup')
        .select('response')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row ? toLookup(row) : null
    },

    /** How often each device is in the newest lookups of an organization. */
    async recentDevices(organizationId: string, lookups: number): Promise<Map<string, number>> {
      const rows = await db.query
        .selectFrom('lookup')
        .select('response')
        .where('organization_id', '=', organizationId)
        .orderBy('id', 'desc')
        .limit(lookups)
        .execute()
      const totals = new Map<string, number>()
      for (const row of rows) {
        const deviceId = toLookup(row).device_match.matched_device_id
        if (deviceId) totals.set(deviceId, (totals.get(deviceId) ?? 0) + 1)
      }
      return totals
    },

    /**
     * Lookups of one organization, oldest first, in batches, so that an export holds neither the database nor the memory.
     */
    async *export(organizationId: string, range: LookupExportRange = {}): AsyncGenerator<LookupResultWire[]> {
      let after = range.from === undefined ? '' : minLookupIdAt(range.from)
      const lookups =
        range.identifierKey === undefined
          ? ofOrganization(organizationId)
          : await ofIdentifier(organizationId, range.identifierKey)
      for (;;) {
        let query = lookups.select(['id', 'response']).where('id', '>', after)
        if (range.to !== undefined) query = query.where('id', '<', minLookupIdAt(range.to))
        const rows = await query.orderBy('id').limit(STEP_ROWS).execute()
        const last = rows.at(-1)
        if (!last) return
        yield rows.map(toLookup)
        after = last.id
      }
    },

    /** Deletes lookups made before `before`, in batches; returns the number. */
    deleteLookupsBefore: (before: number): Promise<number> =>
      deleteRecordsBelow(db, 'lookup', minLookupIdAt(before), [{ table: 'lookup_total', key: ['organization_id'] }]),
  }
}

/** As it was written: stored records are not validated again. */
const toLookup = ({ response }: Pick<LookupTable, 'response'>) => parseStoredJson(response) as LookupResultWire

function toRow(record: LookupRecord): LookupTable {
  return {
    organization_id: record.organizationId,
    id: record.id,
    identifier_key: record.identifierKey,
    second_identifier_key: record.secondIdentifierKey ?? null,
    created_at: record.createdAt,
    response: shortenLookup(JSON.stringify(record.result)),
  }
}
