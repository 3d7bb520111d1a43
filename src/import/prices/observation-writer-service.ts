/** Writes the newest price of each listing to the database in short transactions that announce the changed devices. */
import type { Database } from '../../db/database.ts'
import type { ObservationTable } from '../../db/schema.ts'
import type { NewObservation } from '../../pricing/model/observation.ts'
import {
  type EncodedObservations,
  findStoredListings,
  isSourceStored,
  type ObservationBatch,
  type ObservationScope,
  observationEncoder,
  type StoredListing,
  writeObservations,
} from '../../pricing/observations/observation-store.ts'
import type { RowReport } from '../row-report-service.ts'
import { nextStepRows } from '../step-writer-service.ts'

/** Limits how long a step holds SQLite's single write lock; shorter while other writers wait. */
const STEP_BOUNDS = { lockMs: 20, minRows: 200, maxRows: 4_000 }
/** Steps double until they hold the lock as long as they may. */
const FIRST_STEP_ROWS = 500
const STEP_BOUNDS_WITH_OTHER_WRITERS = { ...STEP_BOUNDS, lockMs: 8 }
/** PostgreSQL has no such lock; its steps are larger, because each costs a round trip and a commit. */
const POSTGRES_STEP_ROWS = 10_000
/** Listings looked up per query. */
const LISTINGS_PER_QUERY = 500
/** From this many rows on, the planner statistics of the tables are refreshed. */
const ANALYZE_FROM_ROWS = 10_000

/** Writes step by step while the caller reads the next rows. Each step is one transaction: its rows and their change events. */
export function openObservationWriter(db: Database, runId: string, scope: ObservationScope, signal: AbortSignal) {
  const encode = observationEncoder(db, runId, scope.organizationId)
  let written = 0
  let stepRows = db.bulk.hasSingleWriter ? FIRST_STEP_ROWS : POSTGRES_STEP_ROWS
  let pendingWrite: Promise<void> = Promise.resolve()

  async function writeSteps(encoded: EncodedObservations, formerDeviceIds: ReadonlySet<string>): Promise<void> {
    const count = encoded.subjects.length
    let previousStep = Promise.resolve()
    for (let from = 0, to = 0; from < count && !signal.aborted; from = to) {
      // Prepared while the previous step is being written. No two steps of a batch contain the same listing.
      to = Math.min(from + stepRows, count)
      const rows = to - from
      const step = writeObservations(db, encoded, from, to, formerDeviceIds, scope).then(
        ({ lockHeldMs, hasOtherWriters }) => {
          written += rows
          if (!db.bulk.hasSingleWriter || rows !== stepRows) return
          stepRows = nextStepRows(rows, lockHeldMs, hasOtherWriters ? STEP_BOUNDS_WITH_OTHER_WRITERS : STEP_BOUNDS)
        },
      )
      step.catch(() => {})
      await previousStep
      previousStep = step
    }
    await previousStep
  }

  return {
    /** Resolves when the previous rows are written and the writing of these has started. */
    async add(rows: ObservationBatch, { rowIndexes, formerDeviceIds, replaced }: NewestRows): Promise<void> {
      await pendingWrite
      const encoded = await encode(rows, rowIndexes, replaced)
      pendingWrite = writeSteps(encoded, formerDeviceIds)
      // The next call reports a failure; until then the rejection must not count as unhandled.
      pendingWrite.catch(() => {})
    },
    async finish(): Promise<void> {
      await pendingWrite
      if (written >= ANALYZE_FROM_ROWS) {
        await db.bulk.analyzeTable('observation_subject')
        await db.bulk.analyzeTable('observation')
      }
    },
    written: () => written,
  }
}

export type NewestRows = {
  /** Indexes of the rows to write. */
  readonly rowIndexes: Uint32Array
  /** Devices that a listing was assigned to before this import and no longer is. */
  readonly formerDeviceIds: ReadonlySet<string>
  /** The stored row that each row replaces, by row index. */
  readonly replaced: ReadonlyMap<number, ObservationTable>
}

/** Keeps the newest row per listing; drops rows that are older than the stored one or equal to it. */
export function createNewestFilter(
  db: Database,
  organizationId: string,
  report: RowReport,
): (rows: ObservationBatch) => Promise<NewestRows> {
  /** Whether the database had a source before this run; only then its listings are looked up. */
  const lookups = new Map<string, Promise<boolean>>()
  const isSourceKnown = (source: string) =>
    lookups.getOrInsertComputed(source, () => isSourceStored(db.query, source, organizationId))
  return async (rows) => {
    const isSkipped = new Uint8Array(rows.listingIds.length)
    const formerDeviceIds = new Set<string>()
    const replaced = new Map<number, ObservationTable>()
    for (const [source, indexByListing] of newestBySource(rows, isSkipped, report)) {
      if (!(await isSourceKnown(source))) continue
      const entries = [...indexByListing]
      for (let from = 0; from < entries.length; from += LISTINGS_PER_QUERY) {
        const page = entries.slice(from, from + LISTINGS_PER_QUERY)
        const listings = page.map(([listing]) => listing)
        const storedListings = await findStoredListings(db.query, source, listings, organizationId)
        for (const [listing, index] of page) {
          const stored = storedListings.get(listing)
          if (!stored) continue
          if (isNewerThanStored(rows, index, stored)) {
            if (stored.deviceId !== rows.subjects[index]?.deviceId) formerDeviceIds.add(stored.deviceId)
            replaced.set(index, stored.row)
            continue
          }
          isSkipped[index] = 1
          report.remark(stored.cents === rows.cents[index] ? 'unchanged' : 'older_than_stored')
        }
      }
    }
    return { rowIndexes: indexesOfZeros(isSkipped), formerDeviceIds, replaced }
  }
}

function indexesOfZeros(marks: Uint8Array): Uint32Array {
  const indexes = new Uint32Array(marks.length)
  let count = 0
  for (let index = 0; index < marks.length; index++) if (marks[index] === 0) indexes[count++] = index
  return indexes.subarray(0, count)
}

function isNewerThanStored(rows: ObservationBatch, index: number, stored: StoredListing): boolean {
  const observedAt = rows.observedAt[index] as number
  if (stored.observedAt !== observedAt) return stored.observedAt < observedAt
  // Importing a list again with another country moves its prices to that market.
  return stored.cents !== rows.cents[index] || stored.market !== rows.terms[index]?.market
}

/** Index of the newest row of each listing; marks the others in `isSkipped`. */
function newestBySource(
  rows: ObservationBatch,
  isSkipped: Uint8Array,
  report: RowReport,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const bySource = new Map<string, Map<string, number>>()
  for (let index = 0; index < rows.listingIds.length; index++) {
    const listing = rows.listingIds[index] as string
    const source = rows.sources[index] as string
    const newest = bySource.getOrInsertComputed(source, () => new Map())
    const otherIndex = newest.get(listing)
    if (otherIndex === undefined) {
      newest.set(listing, index)
      continue
    }
    report.remark('listing_repeated')
    const isNewer = (rows.observedAt[otherIndex] as number) <= (rows.observedAt[index] as number)
    isSkipped[isNewer ? otherIndex : index] = 1
    if (isNewer) newest.set(listing, index)
  }
  return bySource
}

export function emptyObservations(): ObservationBatch {
  return { sources: [], listingIds: [], subjects: [], terms: [], cents: [], observedAt: [], listedAt: [] }
}

export function appendObservation(rows: ObservationBatch, row: NewObservation, listingId: string): void {
  rows.sources.push(row.source)
  rows.listingIds.push(listingId)
  rows.subjects.push(row.subject)
  rows.terms.push(row.terms)
  rows.cents.push(row.cents)
  rows.observedAt.push(row.observedAt)
  rows.listedAt.push(row.listedAt)
}
