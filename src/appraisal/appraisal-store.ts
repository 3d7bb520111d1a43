import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Actor } from '../auth/actor.ts'
import { type AuditEntry, auditRow } from '../auth/audit-store.ts'
import type { AppraisalDecision, FullAppraisalWire, StoredAppraisalWire } from '../contract/appraisal.ts'
import type { OutcomeFilter } from '../contract/outcome.ts'
import { deleteRowsBelow } from '../db/batched-delete.ts'
import type { Database, Tx } from '../db/database.ts'
import { type Criterion, matchingKeys, type SearchStep } from '../db/record-search.ts'
import type { AppraisalIdentifierTable, AppraisalTable } from '../db/schema.ts'
import { type HistoryPage, type HistoryQuery, readFound, readHistory } from '../records/history-store.ts'
import { type RecordWrites, runningTotal } from '../records/record-store.ts'
import { deleteRecordsBelow, subtractFromTotal } from '../records/retention-store.ts'
import { type HashName, searchableWords, searchCriteria } from '../records/search-words-store.ts'
import { deleteSellersBelow } from '../stock/seller-store.ts'
import { appraisalIdLowerBound } from './appraisal-id.ts'
import { LIST_ROW } from './list-row.ts'
import { withOutcome } from './outcome.ts'
import { readOutcomes } from './outcome-store.ts'

export type AppraisalRecord = {
  readonly id: string
  readonly reference: string | null
  readonly decision: AppraisalDecision
  readonly deviceId: string | null
  readonly createdAt: number
  /** Normalized identifiers of the device, with what a later appraisal of the same device shows. */
  readonly identifiers?: readonly AppraisalIdentifierTable[]
  readonly appraisal: StoredAppraisalWire
  /** Whether it is a row of a device list, which becomes an offer with its outcome. */
  readonly isListRow?: boolean
}

export type AppraisalFilter = {
  readonly reference?: string | undefined
  readonly decision?: AppraisalDecision | undefined
  readonly deviceId?: string | undefined
  readonly outcome?: OutcomeFilter | undefined
  /** Words that all occur: of device, reference, IMEI, seller, or a stock number. */
  readonly q?: string | undefined
  /** Whether `q` finds sellers. */
  readonly findsSellers?: boolean | undefined
  /** Inclusive. */
  readonly from?: number | undefined
  /** Exclusive. */
  readonly to?: number | undefined
}

export type AppraisalPage = HistoryPage<FullAppraisalWire>

export type AppraisalStore = ReturnType<typeof appraisalStore>

/** Records read at a time for an export: each is about five kilobytes, and SQLite reads in the event loop. */
const EXPORT_ROWS = 100

/** Appraisals per transaction. */
const DRAFTS_PER_STEP = 100

/** For a condition of an appraisal itself, which needs no subquery. */
const ALL_ROWS: SearchStep = { limit: () => sql<boolean>`1 = 1`, compared: sql.ref }

/** With a literal, so that the indexes without such rows are used. */
const IS_OFFER = sql<boolean>`decision <> ${sql.lit(LIST_ROW)}`
const storedDecision = ({ decision, isListRow }: AppraisalRecord) => (isListRow ? LIST_ROW : decision)

const APPRAISAL_TOTALS = [
  { table: 'appraisal_total', key: ['organization_id', 'decision'] },
  { table: 'appraised_device', key: ['organization_id', 'device_id'] },
] as const

/** With `created_at`, so that SQLite uses the primary key instead of scanning a covering index of the organization. */
export const selectDevices = (db: Database, organizationId: string, ids: readonly string[]) =>
  db.query
    .selectFrom('appraisal')
    .select(['id', 'device_id', 'created_at'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)

/** Stored appraisals of each organization. */
export function appraisalStore(
  db: Database,
  /** Keyed hashes of the words of a seller's name; without it a search does not find sellers. */
  { hashName }: { readonly hashName?: HashName } = {},
) {
  const total = runningTotal(db, 'appraisal_total', ['organization_id', 'decision'])
  const deviceTotal = runningTotal(db, 'appraised_device', ['organization_id', 'device_id'])

  /** Without the time range, which callers filter by id. */
  async function criteriaOf(organizationId: string, filter: AppraisalFilter): Promise<Criterion[]> {
    const { reference, decision, deviceId, outcome, q = '', findsSellers } = filter
    const columns = { reference, decision, device_id: deviceId, outcome: outcome === 'open' ? '' : outcome }
    return [
      ...Object.entries(columns).flatMap(([column, value]) => {
        if (value === undefined) return []
        const isEqual = sql<boolean>`${sql.ref(column)} = ${value}`
        return {
          ids: sql`select id from appraisal where organization_id = ${organizationId} and ${isEqual} and ${IS_OFFER}`,
          isMet: () => isEqual,
        }
      }),
      ...(await searchCriteria(db, q, {
        organizationId,
        id: sql`appraisal.id`,
        deviceId: sql`appraisal.device_id`,
        hashName: findsSellers ? hashName : undefined,
      })),
    ]
  }

  /** By an index, of which there is one per filter: several filters are searched. */
  const stored = (organizationId: string, [criterion]: readonly Criterion[]) =>
    db.query
      .selectFrom('appraisal')
      .where('organization_id', '=', organizationId)
      .$if(criterion !== undefined, (query) => query.where(criterion?.isMet(ALL_ROWS) as RawBuilder<boolean>))

  const listed = (organizationId: string, criteria: readonly Criterion[]) =>
    stored(organizationId, criteria).where(IS_OFFER)

  const isSearch = (criteria: readonly Criterion[], { q }: AppraisalFilter) => criteria.length > 1 || Boolean(q?.trim())

  const search = (organizationId: string, criteria: readonly Criterion[]) => ({
    table: 'appraisal' as const,
    key: 'id',
    organizationId,
    criteria,
    conditions: [IS_OFFER],
  })

  /** Adds their outcomes to stored appraisals, which are not validated again. */
  async function withOutcomes(
    query: Database['query'],
    organizationId: string,
    rows: readonly { readonly id: string; readonly response: string }[],
  ): Promise<FullAppraisalWire[]> {
    const ids = rows.map(({ id }) => id)
    const outcomes = await readOutcomes(query, organizationId, ids)
    return rows.map(({ id, response }) => withOutcome(parseAppraisal(response), outcomes.get(id) ?? null))
  }

  /** Appraisals in the order of their ids. */
  async function readAll(organizationId: string, ids: readonly string[]): Promise<FullAppraisalWire[]> {
    if (ids.length === 0) return []
    const rows = await db.query
      .selectFrom('appraisal')
      .select(['id', 'response'])
      .where('organization_id', '=', organizationId)
      .where('id', 'in', ids)
      .orderBy('id')
      .execute()
    return withOutcomes(db.query, organizationId, rows)
  }

  async function readTotal(organizationId: string, decision: AppraisalDecision | undefined): Promise<number> {
    let totals = db.query.selectFrom('appraisal_total').where('organization_id', '=', organizationId)
    totals = decision === undefined ? totals.where('decision', '!=', LIST_ROW) : totals.where('decision', '=', decision)
    const row = await totals.select(({ fn }) => fn.sum<number>('total').as('total')).executeTakeFirst()
    return Number(row?.total ?? 0)
  }

  async function addOutcomesToPage(
    organizationId: string,
    page: HistoryPage<StoredAppraisalWire>,
  ): Promise<AppraisalPage> {
    const outcomes = await readOutcomes(db.query, organizationId, page.ids)
    const records = page.records.map((appraisal, at) =>
      withOutcome(appraisal, outcomes.get(page.ids[at] ?? '') ?? null),
    )
    return { ...page, records }
  }

  return {
    /** Entries of the audit trail that are written with the records they are about. */
    auditWrites(organizationId: string, actor: Actor, entries: readonly AuditEntry[], now: number): RecordWrites {
      if (entries.length === 0) return { tables: [], totals: [] }
      const rows = entries.map((entry) => auditRow(organizationId, actor, entry, now))
      return { tables: [{ table: 'audit_entry', rows }], totals: [] }
    },

    /** The rows and totals of new appraisals of one organization. */
    writes(organizationId: string, records: readonly AppraisalRecord[]): RecordWrites {
      if (records.length === 0) return { tables: [], totals: [] }
      return {
        tables: [
          { table: 'appraisal', rows: records.map((record) => toRow(organizationId, record)) },
          { table: 'appraisal_identifier', rows: records.flatMap(({ identifiers = [] }) => identifiers) },
          { table: 'appraisal_word', rows: records.flatMap((record) => toWords(organizationId, record)) },
        ],
        totals: records.flatMap((record) => [
          { total, key: [organizationId, storedDecision(record)], by: 1 },
          ...(record.deviceId ? [{ total: deviceTotal, key: [organizationId, record.deviceId], by: 1 }] : []),
        ]),
      }
    },

    /** The appraisals of one organization with their outcomes, newest first. */
    async history(organizationId: string, query: AppraisalFilter & HistoryQuery): Promise<AppraisalPage> {
      const { page, limit, after, decision, from, to } = query
      const range = { page, limit, after, aboveId: idLowerBound(from), belowId: idLowerBound(to) }
      const criteria = await criteriaOf(organizationId, query)
      if (isSearch(criteria, query)) {
        const found = await readFound<StoredAppraisalWire>(db, search(organizationId, criteria), range)
        return addOutcomesToPage(organizationId, found)
      }
      // Both tables have the columns that a page needs.
      const appraisals = listed(organizationId, criteria) as unknown as Parameters<typeof readHistory>[1]
      const isTotalKnown =
        from === undefined && to === undefined && criteria.length === (decision === undefined ? 0 : 1)
      const total = isTotalKnown ? { total: await readTotal(organizationId, decision) } : {}
      return addOutcomesToPage(organizationId, await readHistory(db, appraisals, { ...range, ...total }))
    },

    /** The devices that an organization appraised, most often first. */
    async devices(organizationId: string, limit: number): Promise<{ deviceId: string; total: number }[]> {
      const rows = await db.query
        .selectFrom('appraised_device')
        .select(['device_id', 'total'])
        .where('organization_id', '=', organizationId)
        .where('total', '>', 0)
        .orderBy('total', 'desc')
        .orderBy('device_id')
        .limit(limit)
        .execute()
      return rows.map((row) => ({ deviceId: row.device_id, total: Number(row.total) }))
    },

    /** Devices of appraisals of one organization, by appraisal id. */
    async deviceIds(organizationId: string, ids: readonly string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map()
      const rows = await selectDevices(db, organizationId, ids).execute()
      return new Map(rows.map((row) => [row.id, row.device_id ?? '']))
    },

    /** Appraisals of one organization with their outcomes, by id. */
    async findAll(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, FullAppraisalWire>> {
      const records = await readAll(organizationId, ids)
      return new Map(records.map((record) => [record.appraisal_id, record]))
    },

    /** One appraisal of one organization with its outcome. */
    async find(organizationId: string, id: string): Promise<FullAppraisalWire | null> {
      return (await readAll(organizationId, [id]))[0] ?? null
    },

    /** The appraisals of one organization with their outcomes, oldest first, in batches that bound the memory of an export. */
    async *export(organizationId: string, filter: AppraisalFilter = {}): AsyncGenerator<FullAppraisalWire[]> {
      const above = idLowerBound(filter.from)
      const below = idLowerBound(filter.to)
      const criteria = await criteriaOf(organizationId, filter)
      if (isSearch(criteria, filter)) {
        for await (const ids of matchingKeys(db, { ...search(organizationId, criteria), order: 'asc', above, below }))
          for (let at = 0; at < ids.length; at += EXPORT_ROWS)
            yield await readAll(organizationId, ids.slice(at, at + EXPORT_ROWS))
        return
      }
      for (let after = above ?? ''; ; ) {
        // An export without a filter is complete: rows of lists, too.
        const rows = await (criteria.length === 0 ? stored : listed)(organizationId, criteria)
          .select(['id', 'response'])
          .where('id', '>', after)
          .$if(below !== undefined, (query) => query.where('id', '<', below ?? ''))
          .orderBy('id')
          .limit(EXPORT_ROWS)
          .execute()
        const last = rows.at(-1)
        if (!last) return
        yield await withOutcomes(db.query, organizationId, rows)
        after = last.id
      }
    },

    /** Deletes appraisals that a later one replaces, unless they have an outcome or are shared. */
    async removeDrafts(organizationId: string, ids: readonly string[]): Promise<void> {
      for (let from = 0; from < ids.length; from += DRAFTS_PER_STEP) {
        const step = ids.slice(from, from + DRAFTS_PER_STEP)
        await db.transaction((tx) => removeDrafts(tx, organizationId, step))
      }
    },

    /** Deletes appraisals made before `before` with their share codes, outcomes and stock items; returns the number of appraisals. */
    async deleteAppraisalsBefore(before: number): Promise<number> {
      const bound = appraisalIdLowerBound(before)
      await deleteRowsBelow(db, 'appraisal_share', 'appraisal_id', bound)
      await deleteRowsBelow(db, 'appraisal_outcome', 'appraisal_id', bound)
      await deleteRowsBelow(db, 'appraisal_identifier', 'appraisal_id', bound)
      await deleteRowsBelow(db, 'appraisal_word', 'appraisal_id', bound)
      await deleteRowsBelow(db, 'stock_photo', 'appraisal_id', bound)
      await deleteRowsBelow(db, 'stock_identity', 'appraisal_id', bound)
      await deleteRowsBelow(db, 'stock_item', 'appraisal_id', bound)
      await deleteRowsBelow(db, 'purchase', 'created_at', before)
      await deleteSellersBelow(db, bound)
      await deleteRowsBelow(db, 'seller_name', 'appraisal_id', bound)
      return deleteRecordsBelow(db, 'appraisal', bound, APPRAISAL_TOTALS)
    },
  }
}

const parseAppraisal = (response: string) => JSON.parse(response) as StoredAppraisalWire

async function removeDrafts(tx: Tx, organizationId: string, ids: readonly string[]): Promise<void> {
  const removed = await tx
    .deleteFrom('appraisal')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .where('outcome', '=', '')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('appraisal_share')
            .select('appraisal_share.id')
            .whereRef('appraisal_share.organization_id', '=', 'appraisal.organization_id')
            .whereRef('appraisal_share.appraisal_id', '=', 'appraisal.id'),
        ),
      ),
    )
    .returning(['id', 'decision', 'device_id'])
    .execute()
  if (removed.length === 0) return
  const removedIds = removed.map(({ id }) => id)
  for (const table of ['appraisal_identifier', 'appraisal_word'] as const)
    await tx
      .deleteFrom(table)
      .where('organization_id', '=', organizationId)
      .where('appraisal_id', 'in', removedIds)
      .execute()
  for (const total of APPRAISAL_TOTALS)
    await subtractFromTotal(
      tx,
      total,
      removed.map((row) => ({ ...row, organization_id: organizationId })),
    )
}

function idLowerBound(epochMs: number | undefined): string | undefined {
  return epochMs === undefined ? undefined : appraisalIdLowerBound(epochMs)
}

function toWords(organization_id: string, { id, reference, deviceId, appraisal }: AppraisalRecord) {
  const { identity, risk } = appraisal
  const name = identity.variant_name ?? identity.device_name
  const identifiers = [risk?.identifier ?? null, risk?.second_identifier ?? null]
  return searchableWords({ deviceId, name, reference, identifiers }).map((word) => ({
    organization_id,
    word,
    appraisal_id: id,
  }))
}

function toRow(organizationId: string, record: AppraisalRecord): Insertable<AppraisalTable> {
  return {
    organization_id: organizationId,
    id: record.id,
    reference: record.reference ?? '',
    decision: storedDecision(record),
    device_id: record.deviceId ?? '',
    created_at: record.createdAt,
    response: JSON.stringify(record.appraisal),
  }
}
