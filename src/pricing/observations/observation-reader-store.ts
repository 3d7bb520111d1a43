import { sql } from 'kysely'
import { type DefectGrade, isDefectGrade, type MarketGrade } from '../../catalog/grade.ts'
import type { Database } from '../../db/database.ts'
import { lateralJoin } from '../../db/lateral-join.ts'
import type { ObservationSourceTable, ObservationTable } from '../../db/schema.ts'
import { marketOfCurrency } from '../country-market.ts'
import type { ListingState, Observation, PriceSide } from '../model/observation.ts'
import { MAX_PER_CELL } from '../model/observation-columns.ts'
import { newestBalanced } from '../model/source-weights.ts'
import { COMMON_SCOPE, openObservationDimensions, type SubjectRow, type TermsRow } from './observation-store.ts'

/** An observation with the ids that only the service needs. */
export type StoredObservation = Observation & {
  /** Null where the source did not name the color. */
  readonly exactVariantId: string | null
  readonly deviceId: string
  /** Of an import whose prices say nothing about other devices. */
  readonly isLocal?: boolean
  /** Set for a price of a deal. */
  readonly deal?: { readonly appraisalId: string; readonly isReleased: boolean }
}

/** An observed price of a defective device. Never part of the prices of working grades. */
type StoredDefectiveObservation = Omit<StoredObservation, 'grade'> & { readonly grade: DefectGrade }

/** Approximate maximum of rows read per device: the newest of each subject, source and terms. */
const MAX_PER_DEVICE = 12_000
const MIN_PER_GROUP = 64
/** Enough of each market, configuration, side and grade to fit a market. */
const SAMPLED_PER_CONFIGURATION = 128

type ObservationRow = ObservationTable

/** The market of stored prices that name none; a function if it can change. */
export type DefaultMarket = string | (() => string)

export function observationReader(db: Database, market: DefaultMarket) {
  const defaultMarket = typeof market === 'string' ? () => market : market
  const { sources, terms } = openObservationDimensions(db)

  async function subjectsOf(
    deviceIds: readonly string[],
    organizationIds: readonly string[],
  ): Promise<ReadonlyMap<number, SubjectRow>> {
    const rows = await db.query
      .selectFrom('observation_subject')
      .selectAll()
      .where('organization_id', 'in', organizationIds)
      .where('device_id', 'in', deviceIds)
      .execute()
    return new Map(rows.map((row) => [row.id, row]))
  }

  /**
   * All combinations of source and terms that a subject has rows of, by a loose index scan instead of reading every row. Two
   * steps, because SQLite bounds an index search by the first column of a row value only.
   */
  function groups(subjectIds: readonly number[]) {
    const nextSource = sql`where n.subject_id = s.subject_id and n.source_id > s.source_id
      order by n.source_id limit 1`
    const nextTerms = sql`where n.subject_id = g.subject_id and n.source_id = g.source_id and n.terms_id > g.terms_id
      order by n.terms_id limit 1`
    const seeds = sql.join(subjectIds.map((id) => sql`(${sql.lit(id)}, -1)`))
    return sql`with recursive s (subject_id, source_id) as (values ${seeds} union all
        select o.subject_id, o.source_id from s ${lateralJoin(db, 'observation', nextSource)}),
      g (subject_id, source_id, terms_id) as (
        select subject_id, source_id, -1 from s where source_id >= 0 union all
        select o.subject_id, o.source_id, o.terms_id from g ${lateralJoin(db, 'observation', nextTerms)})`
  }

  /** How many rows of each group to read: all that the engine uses, unless that would be too many for one device. */
  async function limitPerGroup(subjectIds: readonly number[]): Promise<number> {
    const { rows: exceeding } = await sql`select 1 from observation where subject_id in (${sql.join(subjectIds)})
      limit 1 offset ${MAX_PER_DEVICE}`.execute(db.query)
    if (exceeding.length === 0) return MAX_PER_CELL
    const { rows } = await sql<{ count: number }>`${groups(subjectIds)}
      select count(*) as count from g where terms_id >= 0`.execute(db.query)
    return Math.min(MAX_PER_CELL, Math.max(MIN_PER_GROUP, Math.floor(MAX_PER_DEVICE / Number(rows[0]?.count ?? 1))))
  }

  /** The common market and the organizations that the operator opted in as sources of it. */
  async function commonScopes(): Promise<string[]> {
    const rows = await db.query.selectFrom('organization').select('id').where('is_common_source', '=', 1).execute()
    return [COMMON_SCOPE, ...rows.map(({ id }) => id)]
  }

  async function newestPerGroup(
    subjectIds: readonly number[],
    since: number,
    until: number,
    limit: number,
  ): Promise<readonly ObservationTable[]> {
    const newest = sql`where n.subject_id = g.subject_id and n.source_id = g.source_id and n.terms_id = g.terms_id
        and n.observed_at >= ${since} and n.observed_at <= ${until}
      order by n.observed_at desc limit ${limit}`
    const { rows } = await sql<ObservationTable>`${groups(subjectIds)}
      select o.source_id, o.listing_id, o.subject_id, o.terms_id, o.cents, o.observed_at, o.listed_at, o.import_id
      from g ${lateralJoin(db, 'observation', newest)} order by o.observed_at desc, o.source_id, o.listing_id`.execute(
      db.query,
    )
    return rows
  }

  /** Rows with their texts; equal texts share one string in memory. */
  async function withTexts(
    rows: readonly ObservationRow[],
    subjects: ReadonlyMap<number, SubjectRow>,
    local: ReadonlySet<number> = NO_IMPORTS,
  ): Promise<(StoredObservation | StoredDefectiveObservation)[]> {
    const sourceOf = await sources.rowsById(rows.map((row) => row.source_id))
    const termsOf = await terms.rowsById(rows.map((row) => row.terms_id))
    return rows.map((row) => {
      const subject = subjects.get(row.subject_id)
      const source = sourceOf.get(row.source_id)
      const rowTerms = termsOf.get(row.terms_id)
      if (!subject || !source || !rowTerms) throw new Error(`Observation ${row.listing_id} refers to a missing row.`)
      const observation = toStoredObservation(row, source, subject, rowTerms, defaultMarket())
      return row.import_id !== null && local.has(row.import_id) ? { ...observation, isLocal: true } : observation
    })
  }

  /** Imports of organizations whose prices say nothing about other devices. */
  async function localImports(): Promise<ReadonlySet<number>> {
    const rows = await db.query.selectFrom('observation_import').select('id').where('is_local', '=', 1).execute()
    return new Set(rows.map(({ id }) => id))
  }

  async function rowsOf(
    organizationIds: readonly string[],
    deviceId: string,
    since: number,
    until: number,
    local: ReadonlySet<number> = NO_IMPORTS,
  ) {
    const subjects = await subjectsOf([deviceId], organizationIds)
    if (subjects.size === 0) return []
    const subjectIds = [...subjects.keys()]
    const rows = await newestPerGroup(subjectIds, since, until, await limitPerGroup(subjectIds))
    return withTexts(rows, subjects, local)
  }

  return {
    async commonSourceIds(): Promise<number[]> {
      const rows = await db.query
        .selectFrom('observation_source')
        .select('id')
        .where('organization_id', 'in', await commonScopes())
        .execute()
      return rows.map(({ id }) => id)
    },

    /**
     * The common observations of a working device between two instants, newest first; of very many, the newest of each source and
     * terms.
     */
    async observationsOf(
      deviceId: string,
      since: number,
      until = Number.MAX_SAFE_INTEGER,
    ): Promise<StoredObservation[]> {
      return (await rowsOf(await commonScopes(), deviceId, since, until)).filter(isWorking)
    },

    /** The same of an organization's own prices. */
    async ownObservationsOf(organizationId: string, deviceId: string, since: number): Promise<StoredObservation[]> {
      const local = await localImports()
      return (await rowsOf([organizationId], deviceId, since, Number.MAX_SAFE_INTEGER, local)).filter(isWorking)
    },

    /** The same with those of damaged, broken and dead devices. */
    async pricesOf(deviceId: string, since: number, until = Number.MAX_SAFE_INTEGER) {
      return rowsOf(await commonScopes(), deviceId, since, until)
    },

    /** The newest few of each market, configuration, side and grade of some devices, balanced by source, for a fit. */
    async sampleOf(deviceIds: readonly string[], since: number): Promise<StoredObservation[]> {
      const subjects = await subjectsOf(deviceIds, await commonScopes())
      if (subjects.size === 0) return []
      const newest = await newestPerGroup(
        [...subjects.keys()],
        since,
        Number.MAX_SAFE_INTEGER,
        // More than are sampled: prices of one day come in the order of their ids, and the first ids are not typical.
        MAX_PER_CELL,
      )
      const rows = (await withTexts(newest, subjects)).filter(isWorking)
      const cellOf = (row: StoredObservation) =>
        `${row.market}\t${row.deviceId}\t${row.variantId}\t${row.side}\t${row.grade}`
      return [...Map.groupBy(rows, cellOf).values()].flatMap((cell) => newestBalanced(cell, SAMPLED_PER_CONFIGURATION))
    },
  }
}

const NO_IMPORTS: ReadonlySet<number> = new Set()

const isWorking = (row: StoredObservation | StoredDefectiveObservation): row is StoredObservation =>
  !isDefectGrade(row.grade)

function toStoredObservation(
  row: ObservationRow,
  { name, organization_id: organizationId }: Pick<ObservationSourceTable, 'name' | 'organization_id'>,
  subject: SubjectRow,
  terms: TermsRow,
  defaultMarket: string,
): StoredObservation | StoredDefectiveObservation {
  return {
    // All prices of an organization are one source, however many lists they came with.
    source: organizationId || name,
    side: terms.side as PriceSide,
    market: terms.market || (terms.paid_in === 'USD' ? defaultMarket : marketOfCurrency(terms.paid_in, defaultMarket)),
    deviceId: subject.device_id,
    variantId: subject.configuration,
    exactVariantId: subject.variant_id || null,
    grade: terms.grade as MarketGrade & DefectGrade,
    label: terms.label,
    lock: terms.lock,
    cents: row.cents,
    observedAt: row.observed_at,
    listingId: row.listing_id,
    state: terms.state as ListingState,
    listedAt: row.listed_at,
  }
}
