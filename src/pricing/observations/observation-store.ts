import type { Database, TableColumns, Tx, WriteStats } from '../../db/database.ts'
import type {
  ObservationSubjectTable,
  ObservationTable,
  ObservationTermsTable,
  ReplacedObservationTable,
} from '../../db/schema.ts'
import type { ObservationSubject, ObservationTerms } from '../model/observation.ts'
import { openDimensionTable } from './dimension-store.ts'

/** Before the first row of the import: its prices say nothing about devices that are not in it. */
export async function markLocal(db: Database, runId: string): Promise<void> {
  await db.transaction((tx) =>
    db.insertMany(tx, 'observation_import', [{ run_id: runId, is_local: 1 }], { conflictColumns: ['run_id'] }),
  )
}

/** Organization id of the prices of the common market. */
export const COMMON_SCOPE = ''

export type SubjectRow = Omit<ObservationSubjectTable, 'id'>
export type TermsRow = Omit<ObservationTermsTable, 'id'>

/** `organizationId`: only sources and subjects of this scope are read, however many organizations there are. */
export function openObservationDimensions(db: Database, organizationId?: string) {
  const scope = organizationId === undefined ? {} : { organization_id: organizationId }
  const subject = ['device_id', 'configuration', 'variant_id', 'organization_id'] as const
  return {
    sources: openDimensionTable(db, 'observation_source', ['name', 'organization_id'], scope),
    subjects: openDimensionTable(db, 'observation_subject', subject, scope),
    terms: openDimensionTable(db, 'observation_terms', [
      'side',
      'grade',
      'label',
      'lock',
      'paid_in',
      'state',
      'market',
    ]),
  }
}

/**
 * New observations as columns, one index per row. A million short-lived objects would cost more memory and time than the rest
 * of an import.
 */
export type ObservationBatch = {
  readonly sources: string[]
  readonly listingIds: string[]
  readonly subjects: ObservationSubject[]
  readonly terms: ObservationTerms[]
  readonly cents: number[]
  readonly observedAt: number[]
  readonly listedAt: (number | null)[]
}

/** Rows in stored form, in the order in which they are written, with the subject of each. */
export type EncodedObservations = {
  readonly columns: Readonly<ReturnType<typeof emptyColumns>>
  readonly subjects: readonly ObservationSubject[]
  /** The stored row that each row replaces; undefined for a new listing and for a row of the same import. */
  readonly replaced: readonly (ReplacedObservationTable | undefined)[]
}

/**
 * Encodes the rows at some indexes for storage; new sources, subjects and terms are inserted first.
 *
 * Sorted by subject, rows touch a fifth of the pages of the index. The rest of the order avoids deadlocks between concurrent
 * imports in PostgreSQL.
 */
export function observationEncoder(db: Database, runId: string, organizationId: string) {
  const names = openObservationDimensions(db, organizationId)
  const imports = openDimensionTable(db, 'observation_import', ['run_id'])
  const sourceNumbers = new Map<string, number>()
  // Rows of a list share these objects, so each is looked up once and not once per row.
  const subjectNumbers = new WeakMap<ObservationSubject, number>()
  const termsNumbers = new WeakMap<ObservationTerms, number>()

  const sourceRow = (name: string) => ({ name, organization_id: organizationId })

  async function insertMissingDimensions({ sources, subjects, terms }: ObservationBatch): Promise<void> {
    const newSources = [...new Set(sources.filter((source) => !sourceNumbers.has(source)))]
    const newSubjects = [...new Set(subjects.filter((subject) => !subjectNumbers.has(subject)))]
    const newTerms = [...new Set(terms.filter((entry) => !termsNumbers.has(entry)))]
    await imports.insertMissing([{ run_id: runId }])
    await names.sources.insertMissing(newSources.map(sourceRow))
    await names.subjects.insertMissing(newSubjects.map((subject) => subjectRow(subject, organizationId)))
    await names.terms.insertMissing(newTerms.map(termsRow))
    for (const name of newSources) sourceNumbers.set(name, requireNumber(names.sources.idOf(sourceRow(name))))
    for (const subject of newSubjects)
      subjectNumbers.set(subject, requireNumber(names.subjects.idOf(subjectRow(subject, organizationId))))
    for (const entry of newTerms) termsNumbers.set(entry, requireNumber(names.terms.idOf(termsRow(entry))))
  }

  return async (
    rows: ObservationBatch,
    rowIndexes: Uint32Array,
    replacedRows: ReadonlyMap<number, ObservationTable>,
  ): Promise<EncodedObservations> => {
    await insertMissingDimensions(rows)
    const { listingIds } = rows
    const sourceIds = new Int32Array(listingIds.length)
    const subjectIds = new Int32Array(listingIds.length)
    for (const rowIndex of rowIndexes) {
      sourceIds[rowIndex] = requireNumber(sourceNumbers.get(rows.sources[rowIndex] as string))
      subjectIds[rowIndex] = requireNumber(subjectNumbers.get(rows.subjects[rowIndex] as ObservationSubject))
    }
    const ordered = rowIndexes.toSorted(
      (a, b) =>
        subjectIds[a]! - subjectIds[b]! ||
        sourceIds[a]! - sourceIds[b]! ||
        ((listingIds[a] as string) < (listingIds[b] as string) ? -1 : 1),
    )
    const columns = emptyColumns(ordered.length)
    const importId = requireNumber(imports.idOf({ run_id: runId }))
    columns.import_id.fill(importId)
    const subjects = new Array<ObservationSubject>(ordered.length)
    const replaced = new Array<ReplacedObservationTable | undefined>(ordered.length)
    for (let at = 0; at < ordered.length; at++) {
      const rowIndex = ordered[at]!
      columns.source_id[at] = sourceIds[rowIndex]!
      columns.listing_id[at] = listingIds[rowIndex] as string
      columns.subject_id[at] = subjectIds[rowIndex]!
      columns.terms_id[at] = requireNumber(termsNumbers.get(rows.terms[rowIndex] as ObservationTerms))
      columns.cents[at] = rows.cents[rowIndex]!
      columns.observed_at[at] = rows.observedAt[rowIndex]!
      columns.listed_at[at] = rows.listedAt[rowIndex] ?? Number.NaN
      subjects[at] = rows.subjects[rowIndex] as ObservationSubject
      const previous = replacedRows.get(rowIndex)
      if (previous && previous.import_id !== importId) replaced[at] = { ...previous, replaced_by: importId }
    }
    return { columns, subjects, replaced }
  }
}

function emptyColumns(length: number) {
  return {
    source_id: new Int32Array(length),
    listing_id: new Array<string>(length),
    subject_id: new Int32Array(length),
    terms_id: new Int32Array(length),
    cents: new Int32Array(length),
    observed_at: new Float64Array(length),
    listed_at: new Float64Array(length),
    import_id: new Int32Array(length),
  }
}

function requireNumber(number: number | undefined): number {
  if (number === undefined) throw new Error('A text that was just stored has no number.')
  return number
}

/**
 * Writes observations of different listings and announces the changed devices to all processes, in one transaction, so that
 * everything stored is also served. The newest observation of a listing wins, whatever the order.
 */
export async function writeObservations(
  db: Database,
  encoded: EncodedObservations,
  from: number,
  to: number,
  alsoTouched: Iterable<string>,
  scope: ObservationScope,
): Promise<WriteStats> {
  const { columns, subjects } = encoded
  const replaced = encoded.replaced.slice(from, to).filter((row) => row !== undefined)
  const touched = new Set(alsoTouched)
  for (let at = from; at < to; at++) touched.add((subjects[at] as ObservationSubject).deviceId)
  return db.bulk.writeBatch([
    {
      table: 'observation',
      columns: {
        source_id: columns.source_id.subarray(from, to),
        listing_id: columns.listing_id.slice(from, to),
        subject_id: columns.subject_id.subarray(from, to),
        terms_id: columns.terms_id.subarray(from, to),
        cents: columns.cents.subarray(from, to),
        observed_at: columns.observed_at.subarray(from, to),
        listed_at: columns.listed_at.subarray(from, to),
        import_id: columns.import_id.subarray(from, to),
      },
      options: { conflictColumns: ['source_id', 'listing_id'], onlyIfNewerBy: 'observed_at' },
    },
    ...(replaced.length === 0 ? [] : [{ table: 'replaced_observation' as const, rows: replaced, options: KEEP_FIRST }]),
    // Last: an announcement blocks other announcements until the end of the transaction.
    ...touchedDeviceTables([...touched], scope),
  ])
}

/** A second price of the same import must not replace the price from before the import. */
const KEEP_FIRST = { conflictColumns: ['replaced_by', 'source_id', 'listing_id'], updateColumns: [] }

/** Whose prices are written, and whether they count in the common market. */
export type ObservationScope = { readonly organizationId: string; readonly isCommon: boolean }

/** The rows that announce which prices changed: of the common market, of an organization, or of both. */
function touchedDeviceTables(deviceIds: string[], { organizationId, isCommon }: ObservationScope): TableColumns[] {
  const tables: TableColumns[] = []
  if (isCommon) {
    tables.push({
      table: 'observed_device',
      columns: { device_id: deviceIds },
      options: { conflictColumns: ['device_id'] },
      changeTopic: 'market',
    })
  }
  if (organizationId !== COMMON_SCOPE) {
    tables.push({
      table: 'organization_observed_device',
      columns: { organization_id: deviceIds.map(() => organizationId), device_id: deviceIds },
      options: { conflictColumns: ['organization_id', 'device_id'] },
      changeTopic: 'market',
    })
  }
  return tables
}

export async function observationScope(tx: Tx, organizationId: string): Promise<ObservationScope> {
  if (organizationId === COMMON_SCOPE) return { organizationId, isCommon: true }
  const row = await tx
    .selectFrom('organization')
    .select('is_common_source')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  return { organizationId, isCommon: row?.is_common_source === 1 }
}

/** Whether any observation of a source is stored; a new source needs no lookups. */
export async function isSourceStored(tx: Tx, source: string, organizationId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('observation_source')
    .innerJoin('observation', 'source_id', 'observation_source.id')
    .select('listing_id')
    .where('name', '=', source)
    .where('organization_id', '=', organizationId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export type StoredListing = {
  readonly observedAt: number
  readonly cents: number
  readonly deviceId: string
  readonly market: string
  readonly row: ObservationTable
}

/** Stored observations of these listings of a source, by listing id. */
export async function findStoredListings(
  tx: Tx,
  source: string,
  listingIds: readonly string[],
  organizationId: string,
): Promise<Map<string, StoredListing>> {
  const rows = await tx
    .selectFrom('observation_source')
    .innerJoin('observation', 'source_id', 'observation_source.id')
    .innerJoin('observation_subject', 'observation_subject.id', 'subject_id')
    .innerJoin('observation_terms', 'observation_terms.id', 'terms_id')
    .selectAll('observation')
    .select(['device_id', 'market'])
    .where('name', '=', source)
    .where('observation_source.organization_id', '=', organizationId)
    .where('listing_id', 'in', listingIds)
    .execute()
  return new Map(
    rows.map(({ device_id: deviceId, market, ...row }) => [
      row.listing_id,
      { observedAt: row.observed_at, cents: row.cents, deviceId, market, row },
    ]),
  )
}

const subjectRow = (
  { deviceId, configuration, variantId }: ObservationSubject,
  organizationId: string,
): SubjectRow => ({
  device_id: deviceId,
  configuration,
  variant_id: variantId ?? '',
  organization_id: organizationId,
})

const termsRow = ({ side, grade, label, lock, currency, state, market }: ObservationTerms): TermsRow => ({
  side,
  grade,
  label,
  lock,
  paid_in: currency,
  state,
  market,
})
